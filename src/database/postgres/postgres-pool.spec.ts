import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { PostgresPool } from './postgres-pool.js';

describe('PostgresPool', () => {
  it('survives a connection that ends before it is used', () => {
    const pool = new EventEmitter();
    const client = new EventEmitter();
    void new PostgresPool(pool as unknown as Pool, { statementTimeoutMs: 1_000 });
    expect(() => client.emit('error', new Error('terminating connection'))).toThrow('terminating connection');
    pool.emit('connect', client);
    expect(client.emit('error', new Error('terminating connection'))).toBe(true);
  });
});
