import type { InputFault } from '../problem-details/problem.js';
import { checkTarget, targetOf } from './post-id.js';

interface Named {
  readonly path?: string;
  readonly query?: string;
  readonly body?: unknown;
}

/** The input of a request with the id of its post at these places. */
function anInput({ path, query, body }: Named): Parameters<typeof checkTarget>[0] {
  return {
    path: path === undefined ? undefined : { id: Number(path) },
    query: query === undefined ? {} : { id: (Number(query) || query) as number },
    body: { id: body as number },
  };
}

const check = (named: Named, found: readonly InputFault[] = []) =>
  checkTarget(anInput(named), '/posts/', found);
const disagrees = (id: string, place: object) => [
  { detail: `The id is not the ${id} that is named elsewhere.`, code: 'id_mismatch', ...place },
];

describe('targetOf and checkTarget', () => {
  it.each<[Named, number]>([
    [{ query: '7' }, 7],
    [{ body: 7 }, 7],
    [{ query: '7', body: 7 }, 7],
    [{ query: '9007199254740991' }, 9007199254740991],
  ])('read %j as post %i', (named, id) => {
    expect(check(named)).toEqual([]);
    const { query, body } = anInput(named);
    expect(targetOf(query!, body)).toBe(id);
  });

  it('accept a body without an id, or with the id of the path', () => {
    expect(check({ path: '7' })).toEqual([]);
    expect(check({ path: '7', body: 7 })).toEqual([]);
  });

  it.each<[Named, object[]]>([
    [{}, [{ detail: 'The id of the post is required.', code: 'required', parameter: 'id' }]],
    [{ path: '7', body: 8 }, disagrees('7', { pointer: '/id' })],
    [{ query: '7', body: 8 }, disagrees('7', { pointer: '/id' })],
    [{ path: '7', query: '8' }, disagrees('7', { parameter: 'id' })],
    [
      { path: '7', query: '8', body: 9 },
      [...disagrees('7', { parameter: 'id' }), ...disagrees('7', { pointer: '/id' })],
    ],
  ])('refuse %j', (named, faults) => {
    expect(check(named)).toEqual(faults);
  });

  it.each<[Named]>([
    [{ query: 'x' }],
    [{ query: 'x', body: 7 }],
    [{ query: '7', body: 'x' }],
    [{ body: null }],
    [{ query: '07', body: 7 }],
  ])('report no fault for an invalid id, which other checks report: %j', (named) => {
    expect(check(named)).toEqual([]);
  });

  it('do not report a missing id when the given one is invalid', () => {
    expect(check({}, [{ detail: 'The parameter needs a value.', code: 'blank', parameter: 'id' }])).toEqual(
      [],
    );
    expect(check({}, [{ detail: 'x', code: 'unknown_parameter', parameter: 'all' }])).toHaveLength(1);
  });
});
