import { InvalidRequest, PreconditionFailed } from '../../problem-details/problems.js';
import {
  evaluateIfNoneMatch,
  parseEntityTags,
  type PreconditionFields,
  Preconditions,
} from './preconditions.js';

const strong = (opaque: string) => ({ weak: false, opaque });
const weak = (opaque: string) => ({ weak: true, opaque });

describe('parseEntityTags', () => {
  it.each([
    ['*', '*'],
    ['"7-3"', [strong('7-3')]],
    ['W/"7-3"', [weak('7-3')]],
    ['""', [strong('')]],
    ['"a", W/"b","c"', [strong('a'), weak('b'), strong('c')]],
    ['"a,b", "c,d"', [strong('a,b'), strong('c,d')]],
    ['"*"', [strong('*')]],
    ['"a\\"', [strong('a\\')]],
    ['"!#~\x80\xff"', [strong('!#~\x80\xff')]],
    [', ,"a" ,\t, "b",', [strong('a'), strong('b')]],
    ['', []],
    [' , ', []],
  ])('reads %j', (field, tags) => {
    expect(parseEntityTags(field)).toEqual(tags);
  });

  it.each([
    ['7-3'],
    ['7-3"'],
    ['w/"7-3"'],
    ['W/ "7-3"'],
    ['"a" "b"'],
    ['"a"b'],
    ['"a b"'],
    ['"a\x7fb"'],
    ['"a\u0100"'],
    ['"a\\"b"'],
    ['"a", *'],
  ])('refuses %j', (field) => {
    expect(parseEntityTags(field)).toBeUndefined();
  });
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
  it.each<[string, PreconditionFields]>([
    ['If-Match names the current version', { ifMatch: '"7-3"' }],
    ['If-Match names the current version in a content coding', { ifMatch: '"7-3-br"' }],
    ['one of several tags matches', { ifMatch: '"7-1", W/"7-3", "7-3-gzip"' }],
    ['If-Match is *', { ifMatch: '*' }],
    ['If-None-Match names other versions', { ifNoneMatch: '"7-1", W/"7-2"' }],
    ['there are none', {}],
  ])('are met when %s', (_, fields) => {
    expect(problemOf(fields)).toBeUndefined();
  });

  it.each<[string, PreconditionFields]>([
    ['If-Match is stale', { ifMatch: '"7-2"' }],
    ['If-Match names the current version weakly', { ifMatch: 'W/"7-3"' }],
    ['If-Match is an empty list', { ifMatch: '' }],
    ['If-None-Match is *', { ifNoneMatch: '*' }],
    ['If-None-Match names the current version', { ifNoneMatch: '"7-3"' }],
    ['If-None-Match names the current version weakly', { ifNoneMatch: '"7-1", W/"7-3"' }],
    ['only If-Match holds', { ifMatch: '"7-3"', ifNoneMatch: '"7-3"' }],
    ['If-Match and If-None-Match are *', { ifMatch: '*', ifNoneMatch: '*' }],
    ['only If-None-Match holds', { ifMatch: '"7-2"', ifNoneMatch: '"7-2"' }],
  ])('fail when %s', (_, fields) => {
    expect(problemOf(fields)).toBeInstanceOf(PreconditionFailed);
  });

  it.each<[PreconditionFields, string]>([
    [{ ifMatch: '7-3' }, 'If-Match'],
    [{ ifMatch: '"7-3", x' }, 'If-Match'],
    [{ ifNoneMatch: '7-3' }, 'If-None-Match'],
    [{ ifMatch: '7-3', ifNoneMatch: '*' }, 'If-Match'],
    [{ ifMatch: '"7-2"', ifNoneMatch: '7-3' }, 'If-None-Match'],
  ])('of %j are refused for %s', (fields, header) => {
    const problem = problemOf(fields);
    expect(problem).toBeInstanceOf(InvalidRequest);
    expect((problem as InvalidRequest).errors).toEqual([
      expect.objectContaining({ code: 'malformed', header }),
    ]);
  });
});

describe('evaluateIfNoneMatch', () => {
  it.each([
    ['the weak form of a strong tag', 'W/"7-3"', '"7-3"'],
    ['one of several tags', '"7-1", W/"7-2" , "7-3"', '"7-3"'],
    ['a tag with a comma', '"7,3", "x"', '"7,3"'],
    ['any tag', '*', '"7-3"'],
  ])('matches %s', (_, field, currentEtag) => {
    expect(evaluateIfNoneMatch(field, currentEtag)).toBe(true);
  });

  it.each([
    ['an empty field', ''],
    ['a longer tag with the same start', '"7-33"'],
    ['a longer tag with the same end', '"17-3"'],
    ['the tag of another coding', '"7-3-br"'],
    ['a part of a tag with a comma', '"7-3,7-3"'],
    ['a malformed field that contains the tag', '"7-3", x'],
    ['a quoted asterisk', '"*"'],
  ])('does not match %s', (_, field) => {
    expect(evaluateIfNoneMatch(field, '"7-3"')).toBe(false);
  });
});
