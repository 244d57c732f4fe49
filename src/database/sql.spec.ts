import { joined, raw, sql } from './sql.js';

describe('sql', () => {
  it('numbers the values by their first occurrence, and binds them in that order', () => {
    const part = sql`${raw('a')} = ${':a'}`;
    const statement = sql`SELECT ${':b'}::bigint, '12:30 :b' WHERE ${joined([part, sql`b < ${':b'}`], ' AND ')}`;
    expect(statement.text).toBe(`SELECT $1::bigint, '12:30 :b' WHERE a = $2 AND b < $1`);
    expect(statement.bind({ a: '', b: null, other: 1 })).toEqual([null, '']);
    expect(() => statement.bind({ a: 'x' })).toThrow('The statement has no value for :b');
  });
});
