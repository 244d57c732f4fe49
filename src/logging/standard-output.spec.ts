import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { standardOutput } from './standard-output.js';

describe('standardOutput', () => {
  const listeners = process.listeners('exit');
  let folder: string;
  let readEnd: number | undefined;
  let writeEnd: number;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lines-'));
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    readEnd = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    writeEnd = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  });

  afterEach(() => {
    for (const each of process.listeners('exit')) if (!listeners.includes(each)) process.off('exit', each);
    closeReadEnd();
    closeSync(writeEnd);
    rmSync(folder, { recursive: true });
  });

  function closeReadEnd(): void {
    if (readEnd !== undefined) closeSync(readEnd);
    readEnd = undefined;
  }

  /** Reads what is in the pipe. */
  function readPipe(): Buffer {
    const chunks: Buffer[] = [];
    const buffer = Buffer.alloc(65_536);
    try {
      for (let count = -1; count !== 0;) {
        count = readSync(readEnd ?? -1, buffer);
        chunks.push(Buffer.from(buffer.subarray(0, count)));
      }
    } catch {
      // EAGAIN: the pipe is empty.
    }
    return Buffer.concat(chunks);
  }

  /** Reads until the last of the lines is in. */
  async function readUntil(last: string): Promise<string> {
    const chunks: Buffer[] = [];
    while (!Buffer.concat(chunks).includes(last)) {
      chunks.push(readPipe());
      await setTimeout(1);
    }
    return Buffer.concat(chunks).toString();
  }

  /** More than a pipe holds, with multi-byte characters that a full pipe splits. */
  const manyLines = Array.from({ length: 5_000 }, (_, index) => `${index} ${'ä€😀'.repeat(10)}\n`);

  it('writes a line before the call returns', () => {
    const writer = standardOutput(writeEnd);
    writer.write('a\n');
    expect(readPipe().toString()).toBe('a\n');
    writer.write('b\n');
    expect(readPipe().toString()).toBe('b\n');
  });

  it('keeps lines while the pipe is full, and then writes each once, in order', async () => {
    const writer = standardOutput(writeEnd);
    for (const line of manyLines) writer.write(line);
    expect((await readUntil(manyLines.at(-1)!)) === manyLines.join('')).toBe(true);
    writer.write('after\n');
    expect(readPipe().toString()).toBe('after\n');
  });

  it('writes the waiting lines once when the process ends', () => {
    const writer = standardOutput(writeEnd);
    const onExit = process.listeners('exit').at(-1)!;
    const lines = Array.from({ length: 100 }, (_, index) => `${index} ${'x'.repeat(1_000)}\n`);
    for (const line of lines) writer.write(line);
    const first = readPipe().toString();
    expect(first.length).toBeLessThan(lines.join('').length);
    onExit(0);
    expect(first + readPipe().toString() === lines.join('')).toBe(true);
  });

  it('ends the wait for a reader that takes nothing when the process ends', () => {
    const writer = standardOutput(writeEnd);
    const onExit = process.listeners('exit').at(-1)!;
    for (const line of manyLines) writer.write(line);
    expect(() => onExit(0)).not.toThrow();
    // Otherwise, the waiting lines would go to the pipe of the next test, which may have the same number.
    closeReadEnd();
    writer.write('');
  });

  it('waits for nothing when the process ends and its reader is gone', () => {
    const writer = standardOutput(writeEnd);
    const onExit = process.listeners('exit').at(-1)!;
    for (const line of manyLines) writer.write(line);
    closeReadEnd();
    const startedAt = performance.now();
    onExit(0);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it('drops whole lines above the limit while the output is not read', async () => {
    const writer = standardOutput(writeEnd);
    const line = `${'x'.repeat(1_024 * 1_024 - 1)}\n`;
    for (let count = 0; count < 40; count += 1) writer.write(line);
    const first = readPipe();
    writer.write('last\n');
    const { length } = first.toString() + (await readUntil('last\n'));
    const lines = (length - 'last\n'.length) / line.length;
    expect(lines).toBe(Math.floor(lines));
    expect(lines).toBeGreaterThanOrEqual(15);
    expect(lines).toBeLessThanOrEqual(17);
  });

  it('does not throw when the reader has closed the pipe, and keeps nothing', () => {
    const writer = standardOutput(writeEnd);
    closeReadEnd();
    expect(() => writer.write('a\n')).not.toThrow();
    expect(() => writer.write('b\n')).not.toThrow();
  });
});
