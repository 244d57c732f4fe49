import { join } from 'node:path';
import pLimit from 'p-limit';
import { type Act, ACTS, type Case, type Coding, CODINGS, STAGES } from '../support/stage-walk.js';
import { WalkedService, type WalkingClient } from '../support/stage-walk.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/**
 * `npm run test:reliability` tests every act at every stage of every operation; `npm test` tests each operation at one
 * stage, and each act at each stage.
 */
const isIntense = globalThis.IS_INTENSE === true;
const itIfIntense = isIntense ? it : it.skip;
const itIfNotIntense = isIntense ? it.skip : it;
/**
 * Without LONG, only unfinished requests are left alone: the service takes minutes to end a response that the client
 * does not read.
 */
const IS_LONG = process.env['LONG'] !== undefined;
/** The limit for V8's heap and Buffers. A leaked request takes some kilobytes, a leaked body more. */
const MAX_HEAP_GROWTH_MIB = 4;
/** Longer than every time limit for an idle client. */
const LEFT_ALONE_MS = 300_000;

let service: WalkedService;

beforeEach(async () => {
  const databasePath = join(temporaryFolder(), 'posts.sqlite');
  service = await WalkedService.start(
    databasePath,
    isIntense ? 'test/support/measured-service.cjs' : undefined,
  );
});
afterEach(() => service.process.stop('SIGKILL'));

function allCases(acts: readonly Act[], codings: readonly Coding[]): Case[] {
  return service.operations.flatMap((operation) =>
    STAGES.flatMap((stage) =>
      acts.flatMap((act) => codings.map((coding): Case => ({ operation, stage, act, coding }))),
    ),
  );
}

function sample(): Case[] {
  return service.operations.map((operation, index) => ({
    operation,
    stage: STAGES[index % STAGES.length]!,
    act: ACTS[Math.floor(index / STAGES.length) % ACTS.length]!,
    coding: CODINGS[index % CODINGS.length]!,
  }));
}

/** The groups of cases, each run at the same time. */
const WALKS: readonly (readonly [name: string, cases: () => Case[]])[] = isIntense
  ? ACTS.flatMap((act) =>
      CODINGS.map((coding) => [`${act}, ${coding}`, () => allCases([act], [coding])] as const),
    )
  : [['a sample', sample]];

/** The clients that are brought to their stages at the same time. */
const atOnce = pLimit(24);

async function walk(cases: readonly Case[]): Promise<WalkingClient[]> {
  return atOnce.map(cases, async (each) => {
    const client = await service.bringTo(each);
    await client.carryOut();
    return client;
  });
}

async function walkAll(): Promise<void> {
  for (const [, cases] of WALKS) {
    for (const client of await walk(cases())) client.leave();
    await service.untilIdle(30_000);
    expect(await service.isLoggedIn()).toBe(true);
  }
  expect(service.faults()).toEqual([]);
}

/** Walks through everything. @returns the heap afterwards, in MiB */
async function heapAfterWalk(): Promise<number> {
  await walkAll();
  service.process.stdout = '';
  service.process.kill('SIGUSR2');
  const [, heap] = await service.process.says(/"memory":\{"heap":([\d.]+)/);
  return Number(heap);
}

describe('a client that misbehaves at any stage of any request', () => {
  itIfNotIntense('causes no fault, and all its requests end', walkAll);

  itIfIntense(
    'causes no fault and no memory leak, and all its requests end',
    async () => {
      const [first, second, third] = [await heapAfterWalk(), await heapAfterWalk(), await heapAfterWalk()];
      process.stdout.write(`heap after walks, in MiB: ${first}, ${second}, ${third}\n`);
      // The heap varies by some MiB; a leak makes it grow with every walk.
      expect(Math.min(second - first, third - second)).toBeLessThan(MAX_HEAP_GROWTH_MIB);
    },
    1_200_000,
  );

  itIfIntense(
    'is ended by the service when it is idle',
    async () => {
      const isShort = ({ stage, operation }: Case): boolean =>
        stage === 'header' || (stage === 'body' && operation.contentType !== undefined);
      const clients = await walk(allCases(['nothing'], CODINGS).filter((each) => IS_LONG || isShort(each)));
      await service.untilIdle(LEFT_ALONE_MS);
      expect(service.faults()).toEqual([]);
      for (const client of clients) client.leave();
    },
    600_000,
  );

  it.each(WALKS)(
    'does not prevent a graceful stop: %s',
    async (_, cases) => {
      const clients = await atOnce.map(cases(), (each) => service.bringTo(each));
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
