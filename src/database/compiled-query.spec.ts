import { CompiledQuery, type QueryValues } from './compiled-query.js';

describe('CompiledQuery', () => {
  it('numbers the parameters by their first occurrence, and binds the values in that order', () => {
    const query = CompiledQuery.fromText('SELECT :a, :b, :a LIMIT :rows');
    expect(query.sql).toBe('SELECT $1, $2, $1 LIMIT $3');
    expect(query.bind({ rows: 3, a: 'x', b: null })).toEqual(['x', null, 3]);
  });

  it('does not change a PostgreSQL type cast', () => {
    const query = CompiledQuery.fromText('SELECT :a::bigint');
    expect(query.sql).toBe('SELECT $1::bigint');
    expect(query.bind({ a: 1 })).toEqual([1]);
  });

  it('binds 0 and an empty text like any other value', () => {
    expect(CompiledQuery.fromText(':a :b').bind({ a: 0, b: '' })).toEqual([0, '']);
  });

  it('ignores values without a parameter', () => {
    expect(CompiledQuery.fromText(':a').bind({ a: 1, b: 2 })).toEqual([1]);
  });

  it.each<[QueryValues]>([[{}], [{ b: 1 }]])('rejects %j, in which a value is missing', (values) => {
    expect(() => CompiledQuery.fromText(':a').bind(values)).toThrow('The query has no value for :a');
  });
});
