import { DataSource, EntitySchema } from 'typeorm';
import { CompiledQuery, type QueryValues } from './compiled-query.js';
import { writerOptions } from './data-source-options.js';

class Word {}
const WORD = new EntitySchema<Word>({
  name: 'Word',
  target: Word,
  columns: { id: { type: 'integer', primary: true } },
});

describe('CompiledQuery', () => {
  it('refuses a query with a parameter that its list lacks, and a list with another one', async () => {
    const dataSource = new DataSource({
      ...writerOptions({ kind: 'sqlite', path: ':memory:' }),
      entities: [WORD],
    });
    await dataSource.initialize();
    const words = (condition: string) => dataSource.createQueryBuilder(Word, 'word').where(condition);
    expect(() => CompiledQuery.from(words('word.id > :after AND word.id < :before'), ['after'])).toThrow(
      'The query has no parameter :before: SELECT',
    );
    expect(() => CompiledQuery.from(words('word.id > :after'), ['after', 'before'])).toThrow(
      'The query does not use its parameter :before: SELECT',
    );
    const clock = words(`word.id > :after AND '12:30' <> '::'`);
    expect(CompiledQuery.from(clock, ['after', 'rows'], ' LIMIT :rows').bind({ after: 1, rows: 2 })).toEqual([
      1, 2,
    ]);
    await dataSource.destroy();
  });

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

  it('names the place that made it', () => {
    expect(CompiledQuery.fromText('SELECT 1').madeAt).toContain('compiled-query.spec');
  });

  it('binds 0 and an empty text like any other value', () => {
    expect(CompiledQuery.fromText(':a :b').bind({ a: 0, b: '' })).toEqual([0, '']);
  });

  it.each<[QueryValues]>([[{}], [{ b: 1 }]])('rejects %j, in which a value is missing', (values) => {
    expect(() => CompiledQuery.fromText(':a').bind(values)).toThrow('The query has no value for :a');
  });
});
