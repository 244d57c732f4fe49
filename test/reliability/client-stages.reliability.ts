import { join } from 'node:path';
import {
  type Act,
  ACTS,
  type Case,
  type Coding,
  CODINGS,
  forEachOf,
  STAGES,
  WalkedService,
  type WalkingClient,
} from '../support/stage-walk.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/**
 * Without LONG, only unfinished requests are tested: the service takes minutes to end a response that the client does
 * not read.
 */
const IS_LONG = process.env['LONG'] !== undefined;
/** The limit for V8's heap and Buffers. A leaked request takes some kilobytes, a leaked body more. */
const MAX_HEAP_GROWTH_MIB = 4;
/** Longer than every time limit for an idle client. */
const LEFT_ALONE_MS = 300_000;

let folder: string;
let service: WalkedService;

beforeEach(async () => {
  folder = temporaryFolder();
  service = await WalkedService.start(join(folder, 'posts.sqlite'), 'test/support/measured-service.cjs');
});
afterEach(async () => {
  service.process.kill('SIGKILL');
  await service.process.exited();
});

function casesOf(acts: readonly Act[], codings: readonly Coding[]): Case[] {
  return service.operations.flatMap((operation) =>
    STAGES.flatMap((stage) =>
      acts.flatMap((act) => codings.map((coding): Case => ({ operation, stage, act, coding }))),
    ),
  );
}

async function walk(cases: readonly Case[]): Promise<WalkingClient[]> {
  const clients: WalkingClient[] = [];
  await forEachOf(cases, async (each) => {
    const client = await service.bringTo(each);
    clients.push(client);
    await client.carryOut();
  });
  return clients;
}

/** Runs through every act at every stage of every operation. @returns the heap afterwards, in MiB */
async function heapAfterWalk(): Promise<number> {
  for (const act of ACTS) {
    for (const client of await walk(casesOf([act], CODINGS))) client.leave();
    await service.untilIdle(30_000);
    expect(await service.isLoggedIn()).toBe(true);
  }
  expect(service.faults()).toEqual([]);
  const { process } = service;
  process.stdout = '';
  process.kill('SIGUSR2');
  const [, heap] = await process.says(/"memory":\{"heap":([\d.]+)/);
  return Number(heap);
}

describe('a client that misbehaves at any stage of any request', () => {
  it('causes no fault and no memory leak', async () => {
    const first = await heapAfterWalk();
    const second = await heapAfterWalk();
    const third = await heapAfterWalk();
    process.stdout.write(`heap after walks, in MiB: ${first}, ${second}, ${third}\n`);
    expect(third - second).toBeLessThan(MAX_HEAP_GROWTH_MIB);
    expect(service.faults()).toEqual([]);
  }, 1_200_000);

  it('is ended by the service when it is idle', async () => {
    const isShort = ({ stage, operation }: Case): boolean =>
      stage === 'header' || (stage === 'body' && operation.contentType !== undefined);
    const clients = await walk(casesOf(['nothing'], CODINGS).filter((each) => IS_LONG || isShort(each)));
    await service.untilIdle(LEFT_ALONE_MS);
    expect(service.faults()).toEqual([]);
    for (const client of clients) client.leave();
  }, 600_000);

  it.each(ACTS.flatMap((act) => CODINGS.map((coding) => ({ act, coding }))))(
    'does not prevent a graceful stop: $act ($coding)',
    async ({ act, coding }) => {
      const clients: WalkingClient[] = [];
      await forEachOf(casesOf([act], [coding]), async (each) => {
        clients.push(await service.bringTo(each));
      });
      service.process.kill('SIGTERM');
      await service.process.says(/the service stops once/);
      await Promise.all(clients.map((client) => client.carryOut()));
      expect(await service.process.exited()).toBe(0);
      expect(service.faults()).toEqual([]);
      for (const client of clients) client.leave();
    },
    120_000,
  );
});
