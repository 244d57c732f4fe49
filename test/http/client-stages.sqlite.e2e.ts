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
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let service: WalkedService;

beforeEach(async () => {
  folder = temporaryFolder();
  service = await WalkedService.start(join(folder, 'posts.sqlite'));
});
afterEach(async () => {
  service.process.kill('SIGKILL');
  await service.process.exited();
});

/** Each operation at one stage, and each act at each stage. client-stages.reliability.ts tests all combinations. */
const sample = (): Case[] =>
  service.operations.map((operation, index) => ({
    operation,
    stage: STAGES[index % STAGES.length]!,
    act: ACTS[Math.floor(index / STAGES.length) % ACTS.length]!,
    coding: CODINGS[index % CODINGS.length]!,
  }));

describe('a client that misbehaves at any stage of any request', () => {
  it('causes no fault, and all its requests end', async () => {
    const clients: WalkingClient[] = [];
    await forEachOf(sample(), async (each) => {
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

  it('does not prevent a graceful stop', async () => {
    const clients: WalkingClient[] = [];
    await forEachOf(sample(), async (each) => {
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
