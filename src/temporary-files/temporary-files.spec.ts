import { jest } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
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
/** The fault of the next file that is opened. */
let faultOfOpen: string | undefined;
const openOrFail: typeof files.open = (...options) =>
  faultOfOpen ? Promise.reject(Object.assign(new Error(), { code: faultOfOpen })) : files.open(...options);
jest.unstable_mockModule('node:fs/promises', () => ({ ...files, statfs, open: openOrFail }));
const { TemporaryFiles } = await import('./temporary-files.js');

const folder = mkdtempSync(join(tmpdir(), 'posts-imports-'));
afterAll(() => rmSync(folder, { recursive: true }));

const filesOfDisk = () =>
  new TemporaryFiles({ database: { kind: 'sqlite', path: join(folder, 'posts.sqlite') } });
const part = Buffer.alloc(MIB, 'x');
const refusal = /more than its part of the free space/;

describe('the temporary file of an import', () => {
  it('takes at most a quarter of the free space, together with the other files of its client', async () => {
    const disk = filesOfDisk();
    freeBytes = 40 * MIB;
    const [one, two, others] = ['a', 'a', 'b'].map((client) => disk.open(client));
    for (let count = 0; count < 10; count += 1) await one!.append(part);
    await expect(two!.append(Buffer.from('x'))).rejects.toThrow(refusal);
    await expect(one!.append(Buffer.from('x'))).rejects.toThrow(refusal);
    await others!.append(part);
    await one!.close();
    await two!.append(part);
    await Promise.all([two!.close(), others!.close()]);
  });

  it('leaves half of the free space, however many clients import', async () => {
    const disk = filesOfDisk();
    freeBytes = 40 * MIB;
    const open = ['a', 'b', 'c'].map((client) => disk.open(client));
    for (const file of open.slice(0, 2)) for (let count = 0; count < 10; count += 1) await file.append(part);
    await expect(open[2]!.append(Buffer.from('x'))).rejects.toThrow(refusal);
    await open[0]!.close();
    await open[2]!.append(part);
    await Promise.all(open.slice(1).map((file) => file.close()));
  });

  it('asks again how much is free after 4 MiB', async () => {
    freeBytes = 1_024 * MIB;
    asked = 0;
    const file = filesOfDisk().open('a');
    for (let count = 0; count < 4; count += 1) await file.append(part);
    expect(asked).toBe(1);
    freeBytes = 16 * MIB;
    await expect(file.append(part)).rejects.toThrow(refusal);
    expect(asked).toBe(2);
    await file.close();
  });

  it('has no name, and gives back its bytes, several times', async () => {
    freeBytes = 1_024 * MIB;
    const file = filesOfDisk().open('a');
    const read = async (): Promise<string> => {
      const chunks: Buffer[] = [];
      for await (const chunk of file.chunks()) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    };
    expect(await read()).toBe('');
    for (const text of ['a', 'b'.repeat(100_000), 'c']) await file.append(Buffer.from(text));
    expect(readdirSync(folder)).toEqual([]);
    const text = `a${'b'.repeat(100_000)}c`;
    expect([await read(), await read()]).toEqual([text, text]);
    expect((await file.read(100_000)).toString()).toBe('bc');
    await file.clear();
    await file.append(Buffer.from('d'));
    expect(await read()).toBe('d');
    await file.close();
  });

  it.each([
    ['ENOSPC', refusal],
    ['EFBIG', refusal],
    ['EMFILE', /Too many slow or large requests/],
  ])('is refused for a moment after %s', async (code, words) => {
    freeBytes = 1_024 * MIB;
    faultOfOpen = code;
    const file = filesOfDisk().open('a');
    await expect(file.append(part)).rejects.toMatchObject({
      message: expect.stringMatching(words),
      headers: { 'Retry-After': '1' },
    });
    faultOfOpen = undefined;
    await file.append(part);
    await file.close();
  });
});
