// Writes openapi.json, the OpenAPI document of the service with default settings, for generating and comparing clients,
// and docs/api/errors.md: `npm run openapi`. Needs a build.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorsPage } from './errors-page.js';

const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'openapi.json');
const ERRORS_FILE = join(ROOT, 'docs/api/errors.md');
// The build may not exist when types are checked, so the imports are not static.
const [{ createApp }, { OpenApiService }, { createLogger }, { readSettings }, { FAULT_CODES, problemKinds }] =
  await Promise.all(
    [
      'bootstrap/create-app.js',
      'openapi/openapi.service.js',
      'logging/logger.js',
      'settings/settings.js',
      'problem-details/index.js',
    ].map((name) => import(pathToFileURL(join(ROOT, 'dist/src', name)).href)),
  );

const folder = await mkdtemp(join(tmpdir(), 'posts-openapi-'));
try {
  const settings = readSettings(
    { DATABASE_URL: `sqlite:${join(folder, 'posts.sqlite')}`, LOG_LEVEL: 'silent' },
    { isTerminal: false },
  );
  const app = await createApp(settings, createLogger(settings));
  await app.init();
  const document = app.get(OpenApiService, { strict: false }).full();
  await app.close();
  await writeFile(FILE, `${JSON.stringify(document, null, 2)}\n`);
} finally {
  await rm(folder, { recursive: true });
}

await writeFile(ERRORS_FILE, errorsPage(problemKinds(), FAULT_CODES));
