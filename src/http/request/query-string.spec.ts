import { Allow } from 'class-validator';
import { parseQuery, readQuery } from './query-string.js';
import { IsIntegerBetween, IsListOf, Optional } from './validation.js';

class ThingQuery {
  @Allow()
  a?: unknown;

  @Allow()
  'ä b'?: unknown;

  @Optional()
  @IsListOf((options) => IsIntegerBetween(1, 9, 'Some of 1 to 9.', options), 'Some of 1 to 9.')
  ids?: number[];
}

const read = (query: string, queryClass: new () => object = ThingQuery) =>
  readQuery(parseQuery(query), queryClass);

const UNKNOWN = 'The parameter is not known; known are a, ä b, ids.';

describe('readQuery', () => {
  it.each([
    ['', {}],
    ['&&a=x=y&', { a: 'x=y' }],
    ['a=x+y%20z%2B', { a: 'x y z+' }],
    ['a=%EF%BB%BF%F0%9F%98%80&%C3%A4+b=1', { a: '\uFEFF😀', 'ä b': '1' }],
    ['ids=1,2&a=3&%69ds=4', { ids: [1, 2, 4], a: '3' }],
  ])('reads "%s"', (query, values) => {
    expect(read(query)).toEqual({ values, faults: [] });
  });

  it.each([
    ['c=1', 'c', 'unknown_parameter', UNKNOWN],
    ['__proto__=1', '__proto__', 'unknown_parameter', UNKNOWN],
    [`${'x'.repeat(101)}=1`, `${'x'.repeat(99)}…`, 'unknown_parameter', UNKNOWN],
    ['a', 'a', 'blank', 'The parameter needs a value.'],
    ['ids=1&ids=', 'ids', 'blank', 'The parameter needs a value.'],
    ['a=1&%61=2', 'a', 'repeated', 'The parameter may occur only once.'],
    ['a=%', 'a', 'not_utf8', 'The value is not percent-encoded UTF-8.'],
    ['a=%ED%A0%80', 'a', 'not_utf8', 'The value is not percent-encoded UTF-8.'],
    ['a=x%00', 'a', 'null_character', 'The value must not contain U+0000 (the null character).'],
    ['%FF=1', '', 'not_utf8', 'A name of a parameter is not percent-encoded UTF-8.'],
  ])('finds the fault of "%s"', (query, parameter, code, detail) => {
    expect(read(query).faults).toEqual([{ detail, code, parameter }]);
  });

  it('reports each parameter with a fault once, and reads the other parameters', () => {
    const { values, faults } = read('c=1&a=&ids=2&d=1&c=2&a=%');
    expect(values).toEqual({ ids: [2] });
    expect(faults.map((fault) => 'parameter' in fault && fault.parameter)).toEqual(['c', 'a', 'd']);
  });

  it('reports that the path has no parameters when none is known', () => {
    class NoQuery {}
    const detail = 'The parameter is not known; this path has no parameters.';
    expect(read('a=1', NoQuery).faults).toMatchObject([{ detail }]);
  });

  it('reports at most a hundred faults', () => {
    const query = Array.from({ length: 5_000 }, (_, index) => `x${index}=1`).join('&');
    expect(read(query).faults).toHaveLength(100);
  });
});
