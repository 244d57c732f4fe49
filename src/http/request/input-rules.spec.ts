import { Allow, IsBoolean, IsIn, IsString, Matches } from 'class-validator';
import { type FaultContext, rulesOf } from './input-rules.js';
import {
  IsIntegerBetween,
  IsListOf,
  IsStorable,
  MaxCodePoints,
  Optional,
  textValidator,
} from './validation.js';

class TitleDto {
  @IsString()
  @MaxCodePoints(3)
  @Matches('\\S', undefined, {
    message: 'The title is blank.',
    context: { code: 'blank' } satisfies FaultContext,
  })
  @IsStorable()
  title: unknown = 'abc';
}

class ThingDto extends TitleDto {
  @Optional()
  @IsIntegerBetween(1, 5)
  stars?: unknown;

  @Optional()
  @IsBoolean()
  isNew?: unknown;

  @Optional()
  @IsIn(['red', 'blue'])
  colour?: unknown;

  @Optional()
  @textValidator('not_a_date', (text) => text.startsWith('2'), 'The value must be a date.')
  date?: unknown;

  @Optional()
  @IsListOf((options) => IsIntegerBetween(1, 9, 'Some of 1 to 9.', options), 'Some of 1 to 9.', 3)
  ids?: unknown;

  @Allow()
  note?: unknown;
}

const LIST = 'Some of 1 to 9.';
const SURROGATE = 'The text must not contain a lone surrogate (half of a UTF-16 pair).';

describe('faultsOf', () => {
  const place = (pointer: string) => ({ pointer });
  const faultsOf = (thing: ThingDto) => rulesOf(ThingDto).faultsOf(thing, place);

  it.each([
    [{}],
    [{ title: '😀😀😀' }],
    [{ stars: 5, isNew: false, colour: 'red', date: '2026', ids: [1, 9], note: {} }],
  ])('finds no fault in %j', (values) => {
    expect(faultsOf(Object.assign(new ThingDto(), values))).toEqual([]);
  });

  it.each<[object, string, string, number | undefined]>([
    [{ title: undefined }, 'required', 'The field is required.', undefined],
    [{ title: 7 }, 'not_a_string', 'The value must be a string.', undefined],
    [{ title: '    ' }, 'too_long', 'The value must have at most 3 characters.', 3],
    [{ title: '😀😀😀😀' }, 'too_long', 'The value must have at most 3 characters.', 3],
    [{ title: ' \u00a0' }, 'blank', 'The title is blank.', undefined],
    [{ title: 'a\0' }, 'null_character', 'The text must not contain U+0000 (the null character).', undefined],
    [{ title: 'a\ud800' }, 'lone_surrogate', SURROGATE, undefined],
    [{ stars: null }, 'not_an_integer', 'The value must be an integer from 1 to 5.', undefined],
    [{ stars: 1.5 }, 'not_an_integer', 'The value must be an integer from 1 to 5.', undefined],
    [{ stars: 0 }, 'out_of_range', 'The value must be an integer from 1 to 5.', 5],
    [{ stars: 6 }, 'out_of_range', 'The value must be an integer from 1 to 5.', 5],
    [{ isNew: 'true' }, 'not_a_boolean', 'The value must be true or false.', undefined],
    [{ colour: 'green' }, 'not_one_of', 'The value must be one of red, blue.', undefined],
    [{ date: '1999' }, 'not_a_date', 'The value must be a date.', undefined],
    [{ ids: '1,2' }, 'not_an_array', LIST, undefined],
    [{ ids: [] }, 'blank', LIST, undefined],
    [{ ids: [1, 2, 3, 4] }, 'too_many', LIST, 3],
    [{ ids: [1, '2'] }, 'not_an_integer', LIST, undefined],
    [{ ids: [1, 10] }, 'out_of_range', LIST, 9],
    [{ ids: [1, 1] }, 'repeated', LIST, undefined],
  ])('finds the first fault of %j', (values, code, detail, limit) => {
    const [pointer] = Object.keys(values);
    expect(faultsOf(Object.assign(new ThingDto(), values))).toEqual([{ detail, code, limit, pointer }]);
  });

  it('finds one fault for each property', () => {
    const thing = Object.assign(new ThingDto(), { title: '', stars: 0 });
    expect(faultsOf(thing).map(({ code }) => code)).toEqual(['out_of_range', 'blank']);
  });
});

describe('rulesOf', () => {
  it('knows how the fields of a class are read from a URL and from a form', () => {
    const rules = rulesOf(ThingDto);
    const { fields, lists, optional } = rules;
    expect(fields.toSorted()).toEqual(['colour', 'date', 'ids', 'isNew', 'note', 'stars', 'title']);
    expect(rules.fromText('ids', '7,x,07')).toEqual([7, 'x', '07']);
    expect(rules.fromText('stars', '-7')).toBe(-7);
    expect(rules.fromText('title', '7')).toBe('7');
    expect([...lists]).toEqual(['ids']);
    expect([...optional]).not.toContain('title');
    expect([...optional]).toEqual(expect.arrayContaining(['note', 'stars']));
  });
});
