// Writes openapi.json, the OpenAPI document of the service with default settings, for generating and comparing clients:
// `npm run openapi`. Needs a build.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../dist/src/bootstrap/create-app.js';
import { OpenApiService } from '../dist/src/openapi/openapi.service.js';
import { createLogger } from '../dist/src/logging/logger.js';
import { readSettings } from '../dist/src/settings/settings.js';

const FILE = join(import.meta.dirname, '../openapi.json');

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
