import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ACTS,
  type Case,
  CODINGS,
  forEachOf,
  STAGES,
  WalkedService,
  type WalkingClient,
} from '../support/stage-walk.js';

let folder: string;
let service: WalkedService;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posts-stages-'));
  service = await WalkedService.start(join(folder, 'posts.sqlite'));
});
afterEach(async () => {
  service.process.kill('SIGKILL');
  await service.process.exited();
  await rm(folder, { recursive: true, force: true });
});

// Each act at each stage, but not for each operation. client-stages.reliability.ts tests all combinations.
describe('a client that misbehaves at any stage of any request', () => {
  it('leaves a running service as it was', async () => {
    const cases = service.operations.flatMap((operation, o) =>
      STAGES.map((stage, s): Case => ({
        operation,
        stage,
        act: ACTS[(o + s) % ACTS.length]!,
        coding: CODINGS[(o + s) % 2]!,
      })),
    );
    const clients: WalkingClient[] = [];
    await forEachOf(cases, async (each) => {
      const client = await service.bringTo(each);
      clients.push(client);
      await client.carryOut();
    });
    for (const client of clients) client.leave();
    await service.untilIdle(20_000);
    expect(await service.isLoggedIn()).toBe(true);
    service.process.kill('SIGTERM');
    expect(await service.process.exited()).toBe(0);
    expect(service.faults()).toEqual([]);
  });

  it('does not keep a stopping service from its orderly end', async () => {
    const cases = service.operations.flatMap((operation, o) =>
      STAGES.map((stage, s): Case => ({
        operation,
        stage,
        act: ACTS[(o + s) % ACTS.length]!,
        coding: CODINGS[o % 2]!,
      })),
    );
    const clients: WalkingClient[] = [];
    await forEachOf(cases, async (each) => {
      clients.push(await service.bringTo(each));
    });
    service.process.kill('SIGTERM');
    await service.process.says(/the service stops once/);
    await Promise.all(clients.map((client) => client.carryOut()));
    expect(await service.process.exited()).toBe(0);
    expect(service.faults()).toEqual([]);
    for (const client of clients) client.leave();
  });
});
