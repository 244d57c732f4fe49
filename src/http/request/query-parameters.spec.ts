import { readQuery } from './query-parameters.js';

const KNOWN = ['a', 'b', 'ä b'];
const UNKNOWN = 'The parameter is not known; known are a, b, ä b.';

describe('readQuery', () => {
  it.each<[string, Record<string, string>]>([
    ['', {}],
    ['a=1', { a: '1' }],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['&&b=2&', { b: '2' }],
    ['a=x=y', { a: 'x=y' }],
    ['a=x+y%20z%2B', { a: 'x y z+' }],
    ['a=%C3%A4%F0%9F%98%80', { a: 'ä😀' }],
    ['%C3%A4+b=1', { 'ä b': '1' }],
    ['a=%EF%BB%BFx', { a: '\uFEFFx' }],
  ])('reads "%s"', (query, values) => {
    const read = readQuery(query, KNOWN);
    expect({ ...read.values }).toEqual(values);
    expect(read.faults).toEqual([]);
  });

  it.each<[string, string, string, string]>([
    ['c=1', 'c', 'unknown_parameter', UNKNOWN],
    ['a[]=1', 'a[]', 'unknown_parameter', UNKNOWN],
    ['__proto__=1', '__proto__', 'unknown_parameter', UNKNOWN],
    ['=1', '', 'unknown_parameter', UNKNOWN],
    ['a', 'a', 'blank', 'The parameter needs a value.'],
    ['a=', 'a', 'blank', 'The parameter needs a value.'],
    ['a=1&%61=2', 'a', 'repeated', 'The parameter may occur only once.'],
    ['a=%', 'a', 'not_utf8', 'The value is not percent-encoded UTF-8.'],
    ['a=%FF', 'a', 'not_utf8', 'The value is not percent-encoded UTF-8.'],
    ['a=%ED%A0%80', 'a', 'not_utf8', 'The value is not percent-encoded UTF-8.'],
    ['a=x%00', 'a', 'null_character', 'The value must not contain U+0000 (the null character).'],
    ['%FF=1', '', 'not_utf8', 'A name of a parameter is not percent-encoded UTF-8.'],
  ])('finds the fault of "%s"', (query, parameter, code, detail) => {
    expect(readQuery(query, KNOWN).faults).toEqual([{ detail, code, parameter }]);
  });

  it.each<[string, Record<string, string>]>([
    ['a=1&a=2', { a: '1,2' }],
    ['a=1,2&b=3&%61=4', { a: '1,2,4', b: '3' }],
  ])('joins the values of a list: "%s"', (query, values) => {
    const read = readQuery(query, KNOWN, new Set(['a']));
    expect([{ ...read.values }, read.faults]).toEqual([values, []]);
  });

  it('refuses an empty value, and a repeated parameter that is not a list', () => {
    expect(readQuery('a=1&a=', KNOWN, new Set(['a'])).faults).toMatchObject([{ parameter: 'a' }]);
    expect(readQuery('a=1&b=1&b=2', KNOWN, new Set(['a'])).faults).toMatchObject([{ parameter: 'b' }]);
  });

  it('reports each parameter with a fault once, and reads the other parameters', () => {
    const { values, faults } = readQuery('c=1&a=&b=2&d=1&c=2&a=%', KNOWN);
    expect({ ...values }).toEqual({ b: '2' });
    expect(faults.map((fault) => 'parameter' in fault && fault.parameter)).toEqual(['c', 'a', 'd']);
  });

  it('reports that the path has no parameters when none is known', () => {
    expect(readQuery('a=1', []).faults).toMatchObject([
      { detail: 'The parameter is not known; this path has no parameters.' },
    ]);
  });

  it('reports at most a hundred faults', () => {
    const query = Array.from({ length: 5_000 }, (_, index) => `x${index}=1`).join('&');
    expect(readQuery(query, KNOWN).faults).toHaveLength(100);
  });
});
