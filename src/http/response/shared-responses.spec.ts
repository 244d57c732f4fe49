import { ApiResponse } from './api-response.js';
import { type Done, SharedResponses } from './shared-responses.js';

/** Asks, and notes in `events` what becomes of it; `done` has what each that has its response made is to call. */
function setUp() {
  const events: string[] = [];
  const done = new Map<string, Done>();
  const shared = new SharedResponses<string>(
    (name, whenDone) => {
      events.push(`${name} is made`);
      done.set(name, whenDone);
    },
    (name, response) => events.push(`${name} takes ${response.body as string}`),
  );
  const ask = (name: string, key = 'a question'): void => shared.ask(key, name);
  const finish = (name: string, body?: string): void => {
    events.push(`${name} is done`);
    done.get(name)!(body === undefined ? undefined : new ApiResponse({ status: 200, body }));
  };
  return { ask, finish, events };
}

describe('SharedAnswers', () => {
  it('has an answer made at once for a request that comes alone', () => {
    const { ask, finish, events } = setUp();
    ask('first');
    finish('first', 'one');
    ask('second');
    expect(events).toEqual(['first is made', 'first is done', 'second is made']);
  });

  it('gives those who come meanwhile the next answer, which is made once for all of them', () => {
    const { ask, finish, events } = setUp();
    for (const name of ['first', 'second', 'third', 'fourth']) ask(name);
    expect(events).toEqual(['first is made']);
    finish('first', 'one');
    expect(events.slice(1)).toEqual(['first is done', 'second is made']);
    ask('fifth');
    finish('second', 'two');
    expect(events.slice(3)).toEqual([
      'second is done',
      'fifth is made',
      'third takes two',
      'fourth takes two',
    ]);
  });

  it('keeps questions apart', () => {
    const { ask, events } = setUp();
    ask('first');
    ask('second', 'another question');
    expect(events).toEqual(['first is made', 'second is made']);
  });

  it('lets all go their own way when there is no answer to share', () => {
    const { ask, finish, events } = setUp();
    for (const name of ['first', 'second', 'third', 'fourth']) ask(name);
    finish('first');
    finish('second');
    expect(events.filter((event) => event.endsWith('made'))).toEqual([
      'first is made',
      'second is made',
      'third is made',
      'fourth is made',
    ]);
    ask('fifth');
    expect(events.at(-1)).toBe('fifth is made');
  });

  it('does not mind being told twice', () => {
    const { ask, finish, events } = setUp();
    for (const name of ['first', 'second', 'third']) ask(name);
    finish('first', 'one');
    finish('first');
    ask('fourth');
    finish('second', 'two');
    expect(events.filter((event) => event.endsWith('made'))).toEqual([
      'first is made',
      'second is made',
      'fourth is made',
    ]);
  });
});
