/**
 * `node bench/functions.js`: the functions of ours that run for one request, by V8's precise coverage, on the built
 * service with SQLite. They measure how much a reader must know to follow a request.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const DIST = pathToFileURL(join(import.meta.dirname, '../dist/src/')).href;
const load = (path) => import(DIST + path);
const [{ createApp }, { createLogger }, { readSettings }] = await Promise.all(
  ['bootstrap/create-app.js', 'logging/logger.js', 'settings/settings.js'].map(load),
);

const folder = mkdtempSync(join(tmpdir(), 'functions-'));
const environment = { DATABASE_URL: `sqlite:${join(folder, 'posts.sqlite')}`, LOG_LEVEL: 'warn' };
const settings = readSettings(environment, { isTerminal: false });
const app = await createApp(settings, createLogger(settings));
await app.listen(0, '127.0.0.1');
const url = await app.getUrl();

let count = 0;
const send = async (method, path) => {
  count += 1;
  const post = {
    method,
    body: JSON.stringify({ title: `Title ${count}`, body: 'Body.' }),
    headers: { 'Content-Type': 'application/json' },
  };
  await (await fetch(url + path, method === 'GET' ? {} : post)).text();
};
for (let id = 0; id < 7; id += 1) await send('POST', '/posts/');

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** @param before what is sent first, so that the response is, or is not, in the cache */
async function measure(title, before, ...request) {
  for (let round = 0; round < 20; round += 1) {
    for (const each of before) await send(...each);
    await send(...request);
  }
  for (const each of before) await send(...each);
  await session.post('Profiler.takePreciseCoverage');
  await send(...request);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = result.filter(({ url: file }) => file.startsWith(DIST));
  const ran = files.flatMap(({ url: file, functions }) =>
    functions
      .filter(({ ranges }) => ranges[0].count > 0)
      .map(({ functionName }) => `${file.slice(DIST.length)} ${functionName || '(anonymous)'}`),
  );
  console.log(
    `${title}: ${ran.length} functions in ${new Set(ran.map((each) => each.split(' ')[0])).size} files`,
  );
  if (process.argv.includes('--names')) for (const each of ran) console.log(`  ${each}`);
}

await measure('GET /posts/7/, not cached', [['PUT', '/posts/7/']], 'GET', '/posts/7/');
await measure('GET /posts/ from the cache', [['GET', '/posts/']], 'GET', '/posts/');
await measure('PUT /posts/7/', [], 'PUT', '/posts/7/');

session.disconnect();
await app.close();
rmSync(folder, { recursive: true });
