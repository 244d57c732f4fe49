/** Starts Django REST framework on gunicorn, both from Debian's packages. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from './contestants.js';

const START_TIMEOUT_MS = 20_000;

/** @param {Record<string, string>} environment with DATABASE_FILE */
export async function startDjango(environment) {
  const port = await freePort();
  const child = spawn(
    '/usr/bin/python3',
    [
      '-m',
      'gunicorn',
      '--bind',
      `127.0.0.1:${port}`,
      '--chdir',
      join(import.meta.dirname, 'peers'),
      'drf:application',
    ],
    { env: { ...process.env, ...environment }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      const { ok } = await fetch(`http://127.0.0.1:${port}/posts/?limit=1`);
      if (ok) return { child, port };
      throw new Error('It responds with an error.');
    } catch (cause) {
      if (child.exitCode !== null || performance.now() > deadline) {
        child.kill('SIGKILL');
        throw new Error(`Django REST framework does not run: ${said.slice(-500)}`, { cause });
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
