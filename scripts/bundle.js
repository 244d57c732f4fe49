// Makes one file of the service and its packages, dist/service.cjs, from what the compiler has put into dist/src/, and
// dist/service.cache, what V8 compiles of it in a start. bin/bundle.cjs loads both.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import bundled from '../bin/bundle.cjs';
import { START_OPTIONS } from './start-options.js';

const { FILE, CODE_CACHE } = bundled;

const ROOT = join(import.meta.dirname, '..');
const START_TIMEOUT_MS = 60_000;

/** Packages that are compiled for the machine, or are files to serve. */
const LEFT_OUT = [/^sqlite3$/, /^swagger-ui-dist/];

/**
 * Nest's packages load some others by a `require` that no bundler looks into; they would be loaded again, from their own
 * files.
 */
const oneOfEach = {
  name: 'one-of-each',
  transform: {
    filter: { id: /node_modules\/@nestjs\/(?:mapped-types|typeorm)\// },
    handler: (/** @type {string} */ code) =>
      code.replace('const require = createRequire(import.meta.url);', ''),
  },
};

export async function bundle() {
  const build = await rolldown({
    cwd: ROOT,
    input: 'dist/src/main.js',
    platform: 'node',
    external: LEFT_OUT,
    plugins: [oneOfEach],
    // What is not installed, such as the drivers of other databases, is not asked for either.
    onLog: (level, log, report) => {
      if (log.code !== 'UNRESOLVED_IMPORT') report(level, log);
    },
  });
  const { output } = await build.generate({
    format: 'cjs',
    codeSplitting: false,
    comments: { legal: true, annotation: false, jsdoc: false },
    // Nest, TypeORM and its migrations go by the names of classes.
    keepNames: true,
  });
  await build.close();
  rmSync(CODE_CACHE, { force: true });
  writeFileSync(FILE, toAscii(output[0].code));
  await makeCodeCache();
}

/** V8 keeps a text in half the memory when all of it is ASCII. An escape means the same in strings and expressions. */
function toAscii(/** @type {string} */ code) {
  // oxlint-disable-next-line no-control-regex -- it is about them
  return code.replace(/[^\x00-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Starts the service, so that V8 compiles what a start needs, and stops it, when it writes what V8 has compiled. */
async function makeCodeCache() {
  const folder = mkdtempSync(join(tmpdir(), 'posts-service-build-'));
  const child = spawn(process.execPath, [...START_OPTIONS, join(ROOT, 'scripts/write-code-cache.cjs')], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', LOG_FORMAT: 'json', PASSWORD_HASH_MEMORY: '16' },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: START_TIMEOUT_MS,
  });
  const ended = once(child, 'exit');
  child.stdout.on('data', (/** @type {Buffer} */ text) => {
    if (text.includes('listens on')) child.kill('SIGTERM');
  });
  const [status] = await ended;
  rmSync(folder, { recursive: true, force: true });
  if (status !== 0) console.warn('The service did not start, so each start of it will take longer.');
}
