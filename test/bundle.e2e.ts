import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { START_OPTIONS } from '../scripts/start-options.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';

const ROOT = join(import.meta.dirname, '..');

let folder: string;
let database: FreshDatabase;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'posts-bundle-'));
  database = await freshDatabase();
});
afterAll(async () => {
  await database.remove();
  rmSync(folder, { recursive: true });
});

/** Starts the service and stops it. @returns the packages of which it loaded files, and all that it wrote */
async function startAndStop(
  nodeOptions = '',
): Promise<{ status: number; packages: string[]; output: string }> {
  const child = spawn(process.execPath, [...START_OPTIONS, join(ROOT, 'bin/posts-service.cjs')], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      NODE_OPTIONS: nodeOptions,
      NODE_DEBUG: 'module',
      DATABASE_URL: database.url,
      PASSWORD_HASH_MEMORY: '16',
      PORT: '0',
      LOG_FORMAT: 'json',
    },
  });
  const ended = once(child, 'exit') as Promise<[number]>;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      const wasListening = output.includes('listens on');
      output += text;
      if (!wasListening && output.includes('listens on')) child.kill('SIGTERM');
    });
  }
  const [status] = await ended;
  const loaded = output.matchAll(/load "[^"]*\/node_modules\/((?:@[^/"]+\/)?[^/"]+)/g);
  return { status, packages: [...new Set([...loaded].map(([, name]) => name!))].toSorted(), output };
}

/** Whether V8 takes nothing of what it has compiled before. */
function compiledAnew(root: string, options: readonly string[]): boolean {
  const script = `console.log(require('${join(root, 'bin/bundle.cjs')}').compile().cachedDataRejected)`;
  const { stdout } = spawnSync(process.execPath, [...options, '-e', script], { encoding: 'utf8' });
  return stdout !== 'false\n';
}

describe('the service in one file', () => {
  it('starts and stops, and loads no package from its own files but SQLite', async () => {
    const { status, packages, output } = await startAndStop();
    expect(output).toContain('The service has stopped.');
    expect({ status, packages }).toEqual({
      status: 0,
      packages: ['bindings', 'file-uri-to-path', 'sqlite3'],
    });
  });

  it('is what V8 has compiled already, with the options of `npm start`', () => {
    expect(compiledAnew(ROOT, START_OPTIONS)).toBe(false);
  });

  it('is compiled anew with other options', () => {
    expect(compiledAnew(ROOT, ['--max-semi-space-size=3'])).toBe(true);
  });

  it('is compiled anew when it was made anew since, of which V8 would see no more than another length', () => {
    for (const part of ['bin', 'dist/service.cjs', 'dist/service.cache'])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true, preserveTimestamps: true });
    expect(compiledAnew(folder, START_OPTIONS)).toBe(false);
    utimesSync(join(folder, 'dist/service.cjs'), new Date(), new Date());
    expect(compiledAnew(folder, START_OPTIONS)).toBe(true);
  });

  it('is ASCII, which V8 keeps in half the memory', () => {
    const isAscii = readFileSync(join(ROOT, 'dist/service.cjs')).every((byte) => byte < 0x80);
    expect(isAscii).toBe(true);
  });

  it('brings the database up to date as its modules do, which who preloads something starts', async () => {
    const preload = join(folder, 'preload.cjs');
    writeFileSync(
      preload,
      `process.on('exit', () => console.log('fetch', process.moduleLoadList.some((name) => name.endsWith('/undici'))));`,
    );
    const { status, packages, output } = await startAndStop(`--require ${preload}`);
    expect(output).toContain('The service has stopped.');
    expect(status).toBe(0);
    expect(packages).toContain('express');
    // It takes 9 MiB, and nobody needs it on SQLite.
    if (TEST_DATABASE === 'sqlite') expect(output).toContain('fetch false');
  });
});
