import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../../test/support/service-process.js';

const stops: (() => Promise<void>)[] = [];

// Runs for the test file that imports this one.
afterAll(() => Promise.all(stops.map((stop) => stop())));

/** Starts the built service. @returns its base URL, without a trailing slash */
export async function startBuiltService(environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posts-consumer-'));
  const service = await ServiceProcess.start({ databasePath: join(folder, 'posts.sqlite'), environment });
  stops.push(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });
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
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const response = await fetch(`${baseUrl}/posts/`, { method: 'POST', headers, body: lines.join('\n') });
  expect(response.status).toBe(201);
}
