import type { Request } from 'express';
import { setImmediate as settle } from 'node:timers/promises';
import { ApiResponse } from '../response/api-response.js';
import { ResponseCache } from './response-cache.js';

/** A cache, and requests for rows or, without an id, for lists. Their events are recorded. */
function setUp(announcesChanges = true) {
  let change!: (rows?: readonly string[]) => void;
  const cache = new ResponseCache({ announcesChanges, onChange: (listener) => (change = listener) });
  const events: string[] = [];
  const contexts = new Map<string, Request['context']>();
  const ask = async (name: string, id?: number, isClosed = false): Promise<void> => {
    const cacheable = id === undefined ? true : { rowOf: 'posts' };
    const context = {
      operation: { declaration: { cacheable } },
      representation: { mediaType: 'application/json' },
      parameters: { id: String(id) },
      path: id === undefined ? '/posts/' : `/posts/${id}/`,
      baseUrl: '',
      cacheEntry: undefined,
      isClosed,
    } as unknown as Request['context'];
    contexts.set(name, context);
    const note = (response: ApiResponse | undefined): unknown =>
      events.push(response ? `${name} gets ${response.body as string}` : `${name} builds`);
    void (async () => note(await cache.find({ context, headers: {} } as unknown as Request)))().catch(
      (error: Error) => events.push(`${name} fails: ${error.name}`),
    );
    await settle();
  };
  const build = async (name: string, body: string, isCurrent?: () => Promise<boolean>): Promise<void> => {
    contexts.get(name)!.cacheEntry!.finish(new ApiResponse({ body, isCurrent }));
    await settle();
  };
  const fail = async (name: string): Promise<void> => {
    contexts.get(name)!.cacheEntry!.finish();
    await settle();
  };
  const take = (): string[] => events.splice(0);
  return { ask, build, fail, take, change: (rows?: readonly string[]) => change(rows) };
}

describe('ResponseCache', () => {
  it('lets requests wait for a response until a change concerns it, and keeps it as long', async () => {
    const { ask, build, take, change } = setUp();
    await ask('first', 7);
    await ask('second', 7);
    change(['posts/8']);
    await ask('third', 7);
    change(['posts/7']);
    await ask('fourth', 7);
    expect(take()).toEqual(['first builds', 'fourth builds']);
    // It may be from before the change, which was not acknowledged when these requests arrived.
    await build('first', 'old');
    await ask('fifth', 7);
    await build('fourth', 'new');
    await ask('sixth', 7);
    expect(take()).toEqual(['second gets old', 'third gets old', 'fifth gets new', 'sixth gets new']);
    change();
    await ask('seventh', 7);
    expect(take()).toEqual(['seventh builds']);
  });

  it('does not count responses that a change has removed while they were built', async () => {
    const { ask, build, take, change } = setUp();
    await ask('first', 7);
    await build('first', 'kept');
    // 18 MB of them, more than all cached responses may have.
    for (let built = 0; built < 300; built += 1) {
      await ask('other', 8);
      change(['posts/8']);
      await build('other', 'x'.repeat(60_000));
    }
    take();
    await ask('second', 7);
    expect(take()).toEqual(['second gets kept']);
  });

  it('keeps a list that is requested again, until any change', async () => {
    const { ask, build, take, change } = setUp();
    for (const rows of [['posts/8'], []]) {
      await ask('first');
      await build('first', 'one');
      await ask('second');
      await build('second', 'two');
      await ask('third');
      expect(take()).toEqual(['first builds', 'second builds', 'third gets two']);
      change(rows);
    }
  });

  it('lets each request build its own response when that of another one fails or is a stream', async () => {
    const { ask, build, fail, take } = setUp();
    for (const name of ['first', 'second', 'third']) await ask(name);
    await fail('first');
    expect(take()).toEqual(['first builds', 'second builds', 'third builds']);
    await ask('fourth');
    await build('fourth', 'x'.repeat(70_000));
    await ask('fifth');
    expect(take()).toEqual(['fourth builds', 'fifth builds']);
  });

  it('waits for another request for a second at most', async () => {
    const { ask, take } = setUp();
    await ask('first');
    await ask('second');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await ask('third');
    expect(take()).toEqual(['first builds', 'second builds', 'third builds']);
  });

  it('begins no response for a client that has gone', async () => {
    const { ask, take } = setUp();
    await ask('gone', undefined, true);
    await ask('next');
    expect(take()).toEqual(['gone fails: ClientGone', 'next builds']);
  });

  it('keeps a limited amount', async () => {
    const { ask, build, take } = setUp();
    for (let id = 1; id <= 300; id++) {
      await ask('first', id);
      await build('first', 'x'.repeat(60_000));
    }
    take();
    await ask('the oldest', 1);
    await ask('the latest', 300);
    expect(take()).toEqual(['the oldest builds', `the latest gets ${'x'.repeat(60_000)}`]);
  });

  // metrics.e2e.ts and no-stale-responses.load.ts have, on PostgreSQL, when a kept response is used.
  describe('where changes are not announced', () => {
    it('begins no response for a client that goes during the query', async () => {
      const { ask, build, take } = setUp(false);
      for (const name of ['first', 'second']) {
        await ask(name);
        await build(name, name, () => Promise.resolve(false));
      }
      await ask('gone', undefined, true);
      await ask('next');
      expect(take()).toEqual(['first builds', 'second builds', 'gone fails: ClientGone', 'next builds']);
    });

    it('gives all requests that arrive meanwhile a response that was begun after they had arrived', async () => {
      const { ask, build, take } = setUp(false);
      for (const name of ['first', 'second', 'third']) await ask(name);
      await build('first', 'one');
      expect(take()).toEqual(['first builds', 'second builds']);
      await ask('fourth');
      await build('second', 'two');
      expect(take()).toEqual(['third gets two', 'fourth builds']);
    });
  });
});
