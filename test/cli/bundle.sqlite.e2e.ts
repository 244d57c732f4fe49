import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { START_OPTIONS } from '../../bin/bundle.cjs';
import { executeOn } from '../support/sqlite-file.js';
import { ServiceProcess } from '../support/service-process.js';
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

/** Whether V8 rejected the code cache; `undefined` when there was none to offer. */
function refusedCache(root: string, options: readonly string[]): string {
  const script = `console.log(require('${join(root, 'bin/bundle.cjs')}').compile().cachedDataRejected)`;
  return spawnSync(process.execPath, [...options, '-e', script], { encoding: 'utf8' }).stdout.trim();
}

describe('the service in one file', () => {
  it('starts and stops, and loads only SQLite from node_modules', async () => {
    const { status, packages, stdout } = await startAndStop();
    expect(stdout).toContain('The service has stopped.');
    expect([status, packages]).toEqual([0, ['bindings', 'file-uri-to-path', 'sqlite3']]);
  });

  it('is loaded from the V8 code cache, with the options of `npm start` or without', () => {
    expect(refusedCache(ROOT, START_OPTIONS)).toBe('false');
    expect(refusedCache(ROOT, [])).toBe('false');
  });

  it('names the lines of the source in the stack of a fault', async () => {
    const path = join(folder, 'broken.sqlite');
    const service = await ServiceProcess.start({ databasePath: path });
    await executeOn(path, 'ALTER TABLE posts RENAME TO gone');
    const { status } = await fetch(`http://127.0.0.1:${service.port}/posts/?search=a`);
    expect(status).toBe(500);
    const [, line = ''] = await service.says(/^(.*"level":"error".*)$/m);
    await service.stop();
    const { err } = JSON.parse(line) as { err: { stack: string } };
    expect(err.stack).toMatch(/src\/posts\/\S+\.ts:\d+/);
    const places = [...err.stack.matchAll(/\((src\/[\w/.-]+\.ts):(\d+)\)/g)];
    expect(places.length).toBeGreaterThan(0);
    for (const [, file, number] of places) {
      const lines = readFileSync(join(ROOT, file!), 'utf8').split('\n');
      expect(lines[Number(number) - 1]).toMatch(/\w/);
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
