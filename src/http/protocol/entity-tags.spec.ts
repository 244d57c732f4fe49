import { parseEntityTags } from './entity-tags.js';

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
