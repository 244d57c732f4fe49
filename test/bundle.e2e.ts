import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { START_OPTIONS } from '../scripts/start-options.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';

const ROOT = join(import.meta.dirname, '..');
const BUILT = join(ROOT, 'bin/bundle.cjs');

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
    const script = `console.log(require(${JSON.stringify(BUILT)}).compile().cachedDataRejected)`;
    const { stdout } = spawnSync(process.execPath, [...START_OPTIONS, '-e', script], { encoding: 'utf8' });
    expect(stdout).toBe('false\n');
  });

  it('is compiled anew with other options', () => {
    const script = `console.log(require(${JSON.stringify(BUILT)}).compile().cachedDataRejected)`;
    const options = ['--max-semi-space-size=3', '-e', script];
    expect(spawnSync(process.execPath, options, { encoding: 'utf8' }).stdout).toBe('true\n');
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
