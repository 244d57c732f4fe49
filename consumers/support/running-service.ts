import { join } from 'node:path';
import { ServiceProcess } from '../../test/support/service-process.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';

/** Starts the built service, until the end of the test file. @returns its base URL, without a trailing slash */
export async function startBuiltService(environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const databasePath = join(temporaryFolder(), 'posts.sqlite');
  const service = await ServiceProcess.start({ databasePath, environment });
  return `http://127.0.0.1:${service.port}`;
}

/** Stores this many posts, a minute apart. The title of each contains its number. */
export async function storePosts(baseUrl: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      title: `Post ${index + 1}`,
      pub_date: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
      body: 'Grüße, “quotes”, a comma\nand a second line 🦊',
    }),
  );
  await importLines(baseUrl, lines.join('\n'));
}

/** Imports lines of NDJSON. @returns the result */
export async function importLines(baseUrl: string, body: string): Promise<unknown> {
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const response = await fetch(`${baseUrl}/posts/`, { method: 'POST', headers, body });
  expect(response.status).toBe(201);
  return response.json();
}

/** Starts the built service on a port that it keeps. `restart` kills it and starts it again, on the same database. */
export async function startStoppableService(
  environment: Readonly<Record<string, string>> = {},
): Promise<{ baseUrl: string; restart: () => Promise<void> }> {
  const databasePath = join(temporaryFolder(), 'posts.sqlite');
  let service = await ServiceProcess.start({ databasePath, environment });
  const { port } = service;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    restart: async () => {
      await service.stop('SIGKILL');
      service = await ServiceProcess.start({
        databasePath,
        environment: { ...environment, PORT: String(port) },
      });
    },
  };
}
