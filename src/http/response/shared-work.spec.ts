import { setImmediate as settle } from 'node:timers/promises';
import { SharedWork } from './shared-work.js';

/** Asks for shared work and records the events. A result that begins with "own" cannot be shared. */
function setUp() {
  const events: string[] = [];
  const finishers = new Map<string, (result: string | Error) => void>();
  const releases = new Map<string, () => void>();
  const shared = new SharedWork<string>((result) => !result.startsWith('own'));
  const ask = async (name: string, key = 'a question'): Promise<void> => {
    const result = shared.get(key, (release) => {
      events.push(`${name} starts`);
      releases.set(name, release);
      return new Promise((resolve, reject) => {
        finishers.set(name, (end) => (end instanceof Error ? reject(end) : resolve(end)));
      });
    });
    void result.then((text) => events.push(`${name} gets ${text}`)).catch(() => events.push(`${name} fails`));
    await settle();
  };
  const finish = async (name: string, result: string | Error): Promise<void> => {
    finishers.get(name)!(result);
    await settle();
  };
  const take = (): string[] => events.splice(0);
  return { ask, finish, take, release: (name: string) => releases.get(name)!() };
}

describe('SharedWork', () => {
  it('gives all requests that arrive during a round the result of the next one', async () => {
    const { ask, finish, take } = setUp();
    for (const name of ['first', 'second', 'third', 'fourth']) await ask(name);
    expect(take()).toEqual(['first starts']);
    await finish('first', 'one');
    expect(take().toSorted()).toEqual(['first gets one', 'second starts']);
    await ask('fifth');
    expect(take()).toEqual([]);
    await finish('second', 'two');
    const shared = ['fourth gets two', 'second gets two', 'third gets two'];
    expect(take().toSorted()).toEqual(['fifth starts', ...shared]);
  });

  it('starts at once for another key, and when nothing is under way', async () => {
    const { ask, finish, take } = setUp();
    await ask('first');
    await ask('second', 'another question');
    await finish('first', 'one');
    await ask('third');
    expect(take()).toEqual(['first starts', 'second starts', 'first gets one', 'third starts']);
  });

  it.each([['own one'], [new Error('No result.')]])(
    'lets each request do its own work when the result is %p',
    async (result) => {
      const { ask, finish, take } = setUp();
      for (const name of ['first', 'second', 'third', 'fourth']) await ask(name);
      await finish('first', result);
      await finish('second', result);
      const started = take().filter((event) => event.endsWith('starts'));
      expect(started).toEqual(['first starts', 'second starts', 'third starts', 'fourth starts']);
      await ask('fifth');
      expect(take()).toEqual(['fifth starts']);
    },
  );

  it('starts the next round early when the work is released', async () => {
    const { ask, finish, take, release } = setUp();
    for (const name of ['first', 'second', 'third']) await ask(name);
    release('first');
    await settle();
    expect(take()).toEqual(['first starts', 'second starts']);
    await finish('second', 'two');
    expect(take().toSorted()).toEqual(['second gets two', 'third gets two']);
    await finish('first', 'one');
    expect(take()).toEqual(['first gets one']);
  });
});
