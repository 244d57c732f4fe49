import { tmpdir } from 'node:os';
import { TemporaryFile } from './temporary-file.js';

describe('a temporary file', () => {
  it('returns values unchanged, in order and as often as they are read', async () => {
    const values = ['', '"\n\u0001', ['x'.repeat(300_000), 1], `x${'😀'.repeat(200_000)}`, { y: 'y' }];
    const file = new TemporaryFile(tmpdir());
    try {
      for (const value of values) await file.add(JSON.stringify(value));
      for (let round = 0; round < 2; round++) {
        const found: unknown[] = [];
        for await (const line of file.lines()) found.push(JSON.parse(line));
        expect(found).toEqual(values);
      }
    } finally {
      await file.close();
    }
  });
});
