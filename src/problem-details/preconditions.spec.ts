import { evaluateIfNoneMatch, parseEntityTags } from '../http/protocol/entity-tags.js';
import { type PreconditionFields, Preconditions } from './preconditions.js';
import { InvalidRequest, PreconditionFailed } from './problems.js';

const strong = (opaque: string) => ({ weak: false, opaque });
const weak = (opaque: string) => ({ weak: true, opaque });

describe('parseEntityTags', () => {
  it.each([
    ['*', '*'],
    ['"a", W/"b","c,d"', [strong('a'), weak('b'), strong('c,d')]],
    ['"a\\"', [strong('a\\')]],
    ['"!#~\x80\xff"', [strong('!#~\x80\xff')]],
    [', ,"a" ,\t, "b",', [strong('a'), strong('b')]],
  ])('reads %j', (field, tags) => {
    expect(parseEntityTags(field)).toEqual(tags);
  });

  it.each(['7-3', 'w/"7-3"', 'W/ "7-3"', '"a" "b"', '"a"b', '"a b"', '"a\x7fb"', '"a\u0100"', '"a", *'])(
    'refuses %j',
    (field) => {
      expect(parseEntityTags(field)).toBeUndefined();
    },
  );
});

/** The problem of a request with these fields for the version 7-3; undefined when they are met. */
function problemOf(fields: PreconditionFields): unknown {
  try {
    new Preconditions(fields).assertMet('7-3', undefined, 'It has changed.');
  } catch (problem) {
    return problem;
  }
  return undefined;
}

describe('Preconditions', () => {
  it.each<PreconditionFields>([
    {},
    { 'if-match': '*' },
    { 'if-match': '"7-3"' },
    { 'if-match': '"7-3-br"' },
    { 'if-match': 'W/"7-3"' },
    { 'if-match': '"7-1", W/"7-3-gzip"' },
    { 'if-none-match': '"7-1", W/"7-2"' },
  ])('are met: %j', (fields) => {
    expect(problemOf(fields)).toBeUndefined();
  });

  it.each<PreconditionFields>([
    { 'if-match': '"7-2"' },
    { 'if-match': 'W/"7-2"' },
    { 'if-match': '' },
    { 'if-none-match': '*' },
    { 'if-none-match': '"7-1", W/"7-3"' },
    { 'if-match': '"7-3"', 'if-none-match': '"7-3"' },
  ])('fail: %j', (fields) => {
    expect(problemOf(fields)).toBeInstanceOf(PreconditionFailed);
  });

  it.each<[PreconditionFields, string]>([
    [{ 'if-match': '7-3', 'if-none-match': '*' }, 'If-Match'],
    [{ 'if-match': '"7-2"', 'if-none-match': '7-3' }, 'If-None-Match'],
  ])('of %j are refused for %s', (fields, header) => {
    const problem = problemOf(fields);
    expect(problem).toBeInstanceOf(InvalidRequest);
    expect(problem).toMatchObject({ errors: [{ code: 'malformed', header }] });
  });
});

describe('evaluateIfNoneMatch', () => {
  it.each([
    ['"7-1", W/"7-3"', '"7-3"', true],
    ['*', '"7-3"', true],
    ['', '"7-3"', false],
    ['"7-3-br"', '"7-3"', false],
    ['"7-3", x', '"7-3"', false],
  ])('of %j with the current tag %s is %s', (field, currentEtag, isMatch) => {
    expect(evaluateIfNoneMatch(field, currentEtag)).toBe(isMatch);
  });
});
