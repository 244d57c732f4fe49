import { Allow, IsBoolean, IsIn, IsString, Matches, validateSync } from 'class-validator';
import { type FaultContext, faultsOf as toFaults } from './input-faults.js';
import { rulesOf } from './input-rules.js';
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

const STARS = 'The value must be an integer from 1 to 5.';
const LIST = 'Some of 1 to 9.';
const TOO_LONG = { code: 'too_long', detail: 'The value must have at most 3 characters.', limit: 3 };
const NULL = 'The text must not contain U+0000 (the null character).';
const SURROGATE = 'The text must not contain a lone surrogate (half of a UTF-16 pair).';

describe('faultsOf', () => {
  const faultsOf = (values: object) => toFaults(validateSync(Object.assign(new ThingDto(), values)));

  it.each([
    [{ title: '😀😀😀' }],
    [{ stars: 5, isNew: false, colour: 'red', date: '2026', ids: [1, 9], note: {} }],
  ])('finds no fault in %j', (values) => {
    expect(faultsOf(values)).toEqual([]);
  });

  it.each<[object, object]>([
    [{ title: undefined }, { code: 'required', detail: 'The field is required.' }],
    [{ title: 7 }, { code: 'not_a_string', detail: 'The value must be a string.' }],
    [{ title: '😀😀😀😀' }, TOO_LONG],
    [{ title: ' \u00a0' }, { code: 'blank', detail: 'The title is blank.' }],
    [{ title: 'a\0' }, { code: 'null_character', detail: NULL }],
    [{ title: 'a\ud800' }, { code: 'lone_surrogate', detail: SURROGATE }],
    [{ stars: 1.5 }, { code: 'not_an_integer', detail: STARS }],
    [{ stars: 0 }, { code: 'out_of_range', detail: STARS, limit: 5 }],
    [{ stars: 6 }, { code: 'out_of_range', detail: STARS, limit: 5 }],
    [{ isNew: 'true' }, { code: 'not_a_boolean', detail: 'The value must be true or false.' }],
    [{ colour: 'green' }, { code: 'not_one_of', detail: 'The value must be one of red, blue.' }],
    [{ date: '1999' }, { code: 'not_a_date', detail: 'The value must be a date.' }],
    [{ ids: '1,2' }, { code: 'not_an_array', detail: LIST }],
    [{ ids: [] }, { code: 'blank', detail: LIST }],
    [{ ids: [1, 2, 3, 4] }, { code: 'too_many', detail: LIST, limit: 3 }],
    [{ ids: [1, '2'] }, { code: 'not_an_integer', detail: LIST }],
    [{ ids: [1, 10] }, { code: 'out_of_range', detail: LIST, limit: 9 }],
    [{ ids: [1, 1] }, { code: 'repeated', detail: LIST }],
  ])('finds the first fault of %j', (values, fault) => {
    const pointer = `/${Object.keys(values)[0]}`;
    expect(faultsOf(values)).toEqual([{ ...fault, pointer }]);
  });

  it('finds one fault for each property', () => {
    expect(faultsOf({ title: '', stars: 0 }).map(({ code }) => code)).toEqual(['out_of_range', 'blank']);
  });
});

describe('rulesOf', () => {
  it('knows how the fields of a class are read from a URL and from a form', () => {
    const rules = rulesOf(ThingDto);
    expect(rules.fields.toSorted()).toEqual(['colour', 'date', 'ids', 'isNew', 'note', 'stars', 'title']);
    expect([rules.fromText('ids', '7,x,07'), rules.fromText('stars', '-7')]).toEqual([[7, 'x', '07'], -7]);
    expect(rules.fromText('title', '7')).toBe('7');
    expect([...rules.lists]).toEqual(['ids']);
    expect([...rules.optional]).not.toContain('title');
    expect([...rules.optional]).toEqual(expect.arrayContaining(['note', 'stars']));
  });
});
