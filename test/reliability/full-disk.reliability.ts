import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HttpResponse, exchange, type ProblemJson } from '../support/http-client.js';
import type { PostJson } from '../support/posts.js';
import { ServiceProcess } from '../support/service-process.js';
import { queryOn } from '../support/sqlite-file.js';

const ROUNDS = 3;
const isRoot = process.getuid?.() === 0;

// Only root may mount a disk that is small enough to fill.
(isRoot ? describe : describe.skip)('a full disk', () => {
  it('gives 503, loses no acknowledged write, and recovers when there is room', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'posts-full-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]);
    const agent = new Agent({ keepAlive: true });
    let service: ServiceProcess | undefined;
    try {
      const databasePath = join(disk, 'posts.sqlite');
      const started = await ServiceProcess.start({ databasePath });
      service = started;
      const send = (method: string, target: string, json?: unknown): Promise<HttpResponse> => {
        const headers: Record<string, string> =
          json === undefined ? {} : { 'Content-Type': 'application/json' };
        const body = json === undefined ? undefined : JSON.stringify(json);
        return exchange(started.port, { method, target, headers }, { body }, agent);
      };
      const body = 'x'.repeat(30_000);
      const acknowledged: number[] = [];
      let refusals = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        writeFileSync(join(disk, `reserve-${round}`), Buffer.alloc(1_000_000));
      }
      for (let round = 0; round < ROUNDS; round += 1) {
        let response = await send('POST', '/posts/', { title: 'Full', body });
        while (response.status === 201) {
          acknowledged.push(response.json<PostJson>().id);
          response = await send('POST', '/posts/', { title: 'Full', body });
        }
        refusals += 1;
        expect([response.status, response.headers['retry-after']]).toEqual([503, '1']);
        expect(response.json<ProblemJson>().detail).toBe(
          'The database has no space left; nothing was changed.',
        );
        expect((await send('GET', '/health/ready')).json()).toEqual({
          status: 'ok',
          writes: 'refused',
          detail: 'The database has no space left: writes are refused.',
        });
        // Reads still work.
        expect((await send('GET', `/posts/${acknowledged[0]}/`)).status).toBe(200);
        rmSync(join(disk, `reserve-${round}`));
        response = await send('POST', '/posts/', { title: 'Room', body });
        expect(response.status).toBe(201);
        acknowledged.push(response.json<PostJson>().id);
        expect((await send('GET', '/health/ready')).json()).toEqual({ status: 'ok' });
      }
      const stored = await queryOn<{ id: number }>(databasePath, 'SELECT id FROM posts ORDER BY id');
      expect(stored.map(({ id }) => id)).toEqual(acknowledged);
      service.kill('SIGTERM');
      expect(await service.exited()).toBe(0);
      process.stdout.write(`full disks: ${refusals}, acknowledged: ${acknowledged.length}, lost: 0\n`);
    } finally {
      agent.destroy();
      service?.kill('SIGKILL');
      await service?.exited();
      execFileSync('umount', ['-l', disk]);
      rmSync(disk, { recursive: true, force: true });
    }
  }, 60_000);
});
