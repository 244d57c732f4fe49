import { parseEntityTags } from './entity-tag.js';

const strong = (opaque: string) => ({ weak: false, opaque });
const weak = (opaque: string) => ({ weak: true, opaque });

describe('parseEntityTags', () => {
  it.each([
    ['*', '*'],
    ['"7-3"', [strong('7-3')]],
    ['W/"7-3"', [weak('7-3')]],
    ['""', [strong('')]],
    ['W/""', [weak('')]],
    ['"a", W/"b","c"', [strong('a'), weak('b'), strong('c')]],
    ['"a,b", "c,d"', [strong('a,b'), strong('c,d')]],
    ['"*"', [strong('*')]],
    ['"a\\"', [strong('a\\')]],
    ['"W/"', [strong('W/')]],
    ['"!#~\x80\xff"', [strong('!#~\x80\xff')]],
    [', ,"a" ,\t, "b",', [strong('a'), strong('b')]],
    ['', []],
    [' , ', []],
  ])('reads %j', (field, tags) => {
    expect(parseEntityTags(field)).toEqual(tags);
  });

  it.each([
    ['7-3'],
    ['"7-3'],
    ['7-3"'],
    ['W/7-3'],
    ['w/"7-3"'],
    ['W/ "7-3"'],
    ['W"7-3"'],
    ['"a" "b"'],
    ['"a""b"'],
    ['"a"b'],
    ['"a b"'],
    ['"a\tb"'],
    ['"a\x7fb"'],
    ['"a\u0100"'],
    ['"a\\"b"'],
    ["'a'"],
    ['*, "a"'],
    ['"a", *'],
    ['"a"; "b"'],
    ['"a", b'],
  ])('refuses %j', (field) => {
    expect(parseEntityTags(field)).toBeUndefined();
  });

  it('reads tags with spaces when it is lenient', () => {
    expect(parseEntityTags('"with, comma", W/" ", "1-1"', true)).toEqual([
      strong('with, comma'),
      weak(' '),
      strong('1-1'),
    ]);
  });

  it.each(['"a" "b"', '"a"b', '"a\tb"', '"a'])('refuses %j even when it is lenient', (field) => {
    expect(parseEntityTags(field, true)).toBeUndefined();
  });
});
