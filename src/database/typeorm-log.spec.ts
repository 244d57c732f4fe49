import { DataSource } from 'typeorm';
import { createLogger } from '../logging/logger.js';
import { writerOptions } from './data-source-options.js';
import { TypeOrmLog } from './database.module.js';
import { migrate } from './open-database.js';

class Fails9999999999999 {
  name = 'Fails9999999999999';
  up(): Promise<void> {
    return Promise.reject(new Error('half way'));
  }
  async down(): Promise<void> {}
}

describe('TypeOrmLog', () => {
  it('logs only a migration that fails', async () => {
    const lines: string[] = [];
    const logger = createLogger(
      { logLevel: 'trace', logFormat: 'json' },
      { write: (line) => lines.push(line) },
    );
    const dataSource = new DataSource({
      ...writerOptions({ kind: 'sqlite', path: ':memory:' }),
      migrations: [Fails9999999999999],
      logger: new TypeOrmLog(logger),
    });
    await dataSource.initialize();
    await expect(migrate(dataSource)).rejects.toThrow('half way');
    await dataSource.destroy();
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        level: 'error',
        msg: 'Migration "Fails9999999999999" failed, error: half way',
      }),
    ]);
  });
});
