import { DataSource, EntitySchema } from 'typeorm';
import { CompiledQuery } from './compiled-query.js';
import { writerOptions } from './data-source-options.js';

class Word {}
const WORD = new EntitySchema<Word>({
  name: 'Word',
  target: Word,
  columns: { id: { type: 'integer', primary: true } },
});

describe('CompiledQuery', () => {
  it('refuses a query with a parameter that its list lacks, and a list with another one', async () => {
    const options = writerOptions({ kind: 'sqlite', path: ':memory:' });
    const dataSource = await new DataSource({ ...options, entities: [WORD] }).initialize();
    const words = (condition: string) => dataSource.createQueryBuilder(Word, 'word').where(condition);
    expect(() => CompiledQuery.from(words('word.id > :after AND word.id < :before'), ['after'])).toThrow(
      'The query has no parameter :before: SELECT',
    );
    expect(() => CompiledQuery.from(words('word.id > :after'), ['after', 'before'])).toThrow(
      'The query does not use its parameter :before: SELECT',
    );
    const limited = CompiledQuery.from(words('word.id > :after'), ['after', 'rows'], ' LIMIT :rows');
    expect(limited.bind({ after: 1, rows: 2 })).toEqual([1, 2]);
    await dataSource.destroy();
  });

  it('numbers the parameters by their first occurrence, and binds the values in that order', () => {
    const query = CompiledQuery.fromText(`SELECT :a, :b::bigint, :a, '12:30 :b' LIMIT :rows`);
    expect(query.sql).toBe(`SELECT $1, $2::bigint, $1, '12:30 :b' LIMIT $3`);
    expect(query.bind({ rows: 0, a: '', b: null })).toEqual(['', null, 0]);
    expect(() => query.bind({ a: 'x', b: 1 })).toThrow('The query has no value for :rows');
  });
});
