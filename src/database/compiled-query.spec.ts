import { CompiledQuery } from './compiled-query.js';

describe('CompiledQuery', () => {
  it('puts the values where the text has their names, each as often as it occurs', () => {
    const query = CompiledQuery.fromText('SELECT :a, :b, :a LIMIT :rows');
    expect(query.sql).toBe('SELECT ?, ?, ? LIMIT ?');
    expect(query.bind({ rows: 3, a: 'x', b: null })).toEqual(['x', null, 'x', 3]);
  });

  it('binds 0 and an empty text like any other value', () => {
    expect(CompiledQuery.fromText(':a :b').bind({ a: 0, b: '' })).toEqual([0, '']);
  });

  it('ignores values that it has no place for', () => {
    expect(CompiledQuery.fromText(':a').bind({ a: 1, b: 2 })).toEqual([1]);
  });

  it.each([{}, { a: undefined as unknown as null }])(
    'does not bind %j, where a value is missing',
    (values) => {
      expect(() => CompiledQuery.fromText(':a').bind(values)).toThrow('The query has no value for :a');
    },
  );
});
