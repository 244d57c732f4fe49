import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceProcess, START_OPTIONS } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = join(import.meta.dirname, '../..');

const folder = temporaryFolder();

/** Starts the service and stops it. @returns the packages whose files it loaded, and its output */
async function startAndStop(
  environment: Readonly<Record<string, string>> = {},
): Promise<{ status: number | null; packages: string[]; stdout: string }> {
  const service = await ServiceProcess.start({
    databasePath: join(folder, 'posts.sqlite'),
    environment: { NODE_DEBUG: 'module', ...environment },
  });
  const status = await service.stop();
  const loaded = service.stderr.matchAll(/load "[^"]*\/node_modules\/((?:@[^/"]+\/)?[^/"]+)/g);
  const packages = [...new Set([...loaded].map(([, name]) => name!))].toSorted();
  return { status, packages, stdout: service.stdout };
}

describe('the service in one file', () => {
  it('starts and stops, and loads only SQLite from node_modules', async () => {
    const { status, packages, stdout } = await startAndStop();
    expect(stdout).toContain('The service has stopped.');
    expect([status, packages]).toEqual([0, ['bindings', 'file-uri-to-path', 'sqlite3']]);
  });

  it('has the V8 options of npm start in the Dockerfile and for systemd', () => {
    for (const file of ['Dockerfile', 'deploy/systemd/posts-service.service']) {
      const start = /^(?:ENTRYPOINT|ExecStart=).*$/m.exec(readFileSync(join(ROOT, file), 'utf8'))![0];
      expect([file, start.match(/--[\w-]+(?:=\d+)?/g)]).toEqual([file, START_OPTIONS]);
    }
  });

  it('starts from its modules when another module is preloaded', async () => {
    const preload = join(folder, 'preload.cjs');
    writeFileSync(preload, '');
    const { status, packages, stdout } = await startAndStop({ NODE_OPTIONS: `--require ${preload}` });
    expect(stdout).toContain('The service has stopped.');
    expect(status).toBe(0);
    expect(packages).toContain('express');
  });
});
