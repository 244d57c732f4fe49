import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Secret } from './secret.entity.js';

/** The one place that builds queries on secrets. */
@Injectable()
export class SecretsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the secret of that name, and stores `made` when there is none. Concurrent callers all get the same secret.
   */
  async findOrKeep(name: string, made: string): Promise<string> {
    const found = await this.database.reader.manager.findOneBy(Secret, { name });
    if (found) return found.value;
    return this.database.write(async ({ manager }) => {
      const insertion = manager.createQueryBuilder().insert().into(Secret);
      await insertion.values({ name, value: made }).orIgnore().execute();
      const { value } = await manager.findOneByOrFail(Secret, { name });
      return value;
    });
  }
}
