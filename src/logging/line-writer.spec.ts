import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { LineWriter } from './line-writer.js';

describe('LineWriter', () => {
  const listeners = process.listenerCount('exit');
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

  /** Reads until no line waits; then the writer no longer listens for the end of the process. */
  async function takeAll(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    while (process.listenerCount('exit') > listeners) {
      chunks.push(readPipe());
      await setImmediate();
    }
    return Buffer.concat([...chunks, readPipe()]);
  }

  /** More than a pipe holds, with multi-byte characters that a full pipe splits. */
  const manyLines = Array.from({ length: 5_000 }, (_, index) => `${index} ${'ä€😀'.repeat(10)}\n`);

  it('writes a line before the call returns', () => {
    const writer = new LineWriter(writeEnd);
    writer.write('a\n');
    expect(readPipe().toString()).toBe('a\n');
    writer.write('b\n');
    expect(readPipe().toString()).toBe('b\n');
  });

  it('keeps lines while the pipe is full, and then writes each once, in order', async () => {
    const writer = new LineWriter(writeEnd);
    for (const line of manyLines) writer.write(line);
    expect(process.listenerCount('exit')).toBe(listeners + 1);

    expect((await takeAll()).toString() === manyLines.join('')).toBe(true);
    writer.write('after\n');
    expect(readPipe().toString()).toBe('after\n');
  });

  it('writes the waiting lines once when the process ends', async () => {
    const writer = new LineWriter(writeEnd);
    const lines = Array.from({ length: 100 }, (_, index) => `${index} ${'x'.repeat(1_000)}\n`);
    for (const line of lines) writer.write(line);
    const first = readPipe().toString();
    expect(first.length).toBeLessThan(lines.join('').length);
    const onExit = process.listeners('exit').at(-1);
    onExit?.(0);
    expect(first + readPipe().toString() === lines.join('')).toBe(true);
    expect(await takeAll()).toHaveLength(0);
  });

  it('drops whole lines above the limit while the output is not read', async () => {
    const writer = new LineWriter(writeEnd);
    const line = `${'x'.repeat(1_024 * 1_024 - 1)}\n`;
    for (let count = 0; count < 100; count += 1) writer.write(line);
    const { length } = await takeAll();
    expect(length % line.length).toBe(0);
    expect(length / line.length).toBeGreaterThanOrEqual(64);
    expect(length / line.length).toBeLessThan(70);
  });

  it('does not throw when the reader has closed the pipe', () => {
    const writer = new LineWriter(writeEnd);
    closeReadEnd();
    expect(() => writer.write('a\n')).not.toThrow();
    expect(() => writer.write('b\n')).not.toThrow();
    expect(process.listenerCount('exit')).toBe(listeners);
  });
});
