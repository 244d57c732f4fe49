import { jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MIB = 1_024 * 1_024;
let freeBytes = 0;
let asked = 0;
const statfs = (): Promise<object> => {
  asked += 1;
  return Promise.resolve({ bavail: freeBytes / 4_096, bsize: 4_096 });
};
const files = await import('node:fs/promises');
jest.unstable_mockModule('node:fs/promises', () => ({ ...files, statfs }));
const { TemporaryFiles } = await import('./temporary-file.js');

const folder = mkdtempSync(join(tmpdir(), 'posts-imports-'));
afterAll(() => rmSync(folder, { recursive: true }));

const line = 'x'.repeat(MIB - 1);
const refusal = /more than its part of the free space/;

describe('the temporary file of an import', () => {
  it('takes at most a quarter of the free space, together with the other files of its client', async () => {
    const disk = new TemporaryFiles(folder);
    freeBytes = 40 * MIB;
    const [one, two, others] = ['a', 'a', 'b'].map((client) => disk.open(client));
    for (let count = 0; count < 10; count += 1) await one!.add(line);
    await expect(two!.add('x')).rejects.toThrow(refusal);
    await expect(one!.add('x')).rejects.toThrow(refusal);
    await others!.add(line);
    await one!.close();
    await two!.add(line);
    await Promise.all([two!.close(), others!.close()]);
  });

  it('leaves half of the free space, however many clients import', async () => {
    const disk = new TemporaryFiles(folder);
    freeBytes = 40 * MIB;
    const open = ['a', 'b', 'c'].map((client) => disk.open(client));
    for (const file of open.slice(0, 2)) for (let count = 0; count < 10; count += 1) await file.add(line);
    await expect(open[2]!.add('x')).rejects.toThrow(refusal);
    await open[0]!.close();
    await open[2]!.add(line);
    await Promise.all(open.slice(1).map((file) => file.close()));
  });

  it('asks again how much is free after 4 MiB', async () => {
    freeBytes = 1_024 * MIB;
    asked = 0;
    const file = new TemporaryFiles(folder).open('a');
    for (let count = 0; count < 4; count += 1) await file.add(line);
    expect(asked).toBe(1);
    freeBytes = 16 * MIB;
    await expect(file.add(line)).rejects.toThrow(refusal);
    expect(asked).toBe(2);
    await file.close();
  });
});
