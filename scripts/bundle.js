// Bundles the compiler's output in dist/src/ and its packages into dist/service.cjs, and writes V8's code cache of a
// start to dist/service.cache. bin/bundle.cjs loads both.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { rolldown } from 'rolldown';
import { CODE_CACHE, FILE, SOURCE_LINES, START_OPTIONS } from '../bin/bundle.cjs';

const ROOT = join(import.meta.dirname, '..');
const START_TIMEOUT_MS = 60_000;

/** Packages with native code, or with files to serve. */
const LEFT_OUT = [/^sqlite3$/, /^swagger-ui-dist/];

/**
 * Nest's packages load some packages by a `require` that bundlers do not resolve. Without this plugin, those packages
 * would be loaded a second time from node_modules.
 */
const oneOfEach = {
  name: 'one-of-each',
  transform: {
    filter: { id: /node_modules\/@nestjs\/(?:mapped-types|typeorm)\// },
    // The line keeps its place, so that there is no other map.
    handler: (/** @type {string} */ code) => ({
      code: code.replace('const require = createRequire(import.meta.url);', ''),
      map: null,
    }),
  },
};

/** Gives the compiler's source maps to the bundler. */
const compilersMaps = {
  name: 'compilers-maps',
  load: {
    filter: { id: /\/dist\/src\/.*\.js$/ },
    handler: (/** @type {string} */ id) => ({
      code: readFileSync(id, 'utf8'),
      map: readFileSync(`${id}.map`, 'utf8'),
    }),
  },
};

export async function bundle() {
  const build = await rolldown({
    cwd: ROOT,
    input: 'dist/src/main.js',
    platform: 'node',
    external: LEFT_OUT,
    plugins: [oneOfEach, compilersMaps],
    // Optional packages that are not installed, such as drivers of other databases, need no warning.
    onLog: (level, log, report) => {
      if (log.code !== 'UNRESOLVED_IMPORT') report(level, log);
    },
  });
  const { output } = await build.generate({
    format: 'cjs',
    codeSplitting: false,
    sourcemap: 'hidden',
    comments: { legal: true, annotation: false, jsdoc: false },
    // Nest, TypeORM and its migrations identify classes by name.
    keepNames: true,
  });
  await build.close();
  rmSync(CODE_CACHE, { force: true });
  const { code, map } = output[0];
  writeFileSync(SOURCE_LINES, JSON.stringify(sourceLines(code, /** @type {any} */ (map))));
  writeFileSync(FILE, toAscii(code));
  await makeCodeCache();
}

/** The places in `src/` by the line of the bundle, for src/logging/source-lines.ts. */
function sourceLines(/** @type {string} */ code, /** @type {import('node:module').SourceMapPayload} */ map) {
  const positions = new SourceMap(map);
  /** @type {Record<number, string>} */
  const places = {};
  for (const [index, text] of code.split('\n').entries()) {
    const entry = positions.findEntry(index, text.length);
    // The bundler's own code has no source.
    if (!('originalSource' in entry) || !entry.originalSource) continue;
    const source = normalize(join('dist', entry.originalSource));
    if (source.startsWith('src/')) places[index + 1] = `${source}:${entry.originalLine + 1}`;
  }
  return places;
}

/** V8 stores an all-ASCII string in half the memory. An escape means the same in strings and regular expressions. */
function toAscii(/** @type {string} */ code) {
  // oxlint-disable-next-line no-control-regex -- the range starts at U+0000
  return code.replace(/[^\x00-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Starts the service, so that V8 compiles the code that a start needs, then stops it. On exit the service writes the
 * code cache.
 */
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
