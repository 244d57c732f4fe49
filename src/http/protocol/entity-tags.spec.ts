import { parseEntityTags } from './entity-tags.js';

describe('parseEntityTags', () => {
  it.each([
    ['*', '*'],
    ['"a", W/"b","c,d"', ['a', 'b', 'c,d']],
    ['"a\\"', ['a\\']],
    ['"!#~\x80\xff"', ['!#~\x80\xff']],
    [', ,"a" ,\t, "b",', ['a', 'b']],
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
