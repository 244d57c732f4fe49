import { expectTrueCopy } from '../support/copies.js';
import { startService } from '../support/service.js';

// On PostgreSQL the copy reads one instance, and the writers use another.
const reader = await startService();
const isPostgres = globalThis.TEST_DATABASE === 'postgres';
const writer = isPostgres ? await startService({ DATABASE_URL: reader.database.url }) : reader;

describe('a copy that the recipes keep', () => {
  it.each(['ts', 'python'])('is true after four writers (%s)', (language) =>
    expectTrueCopy(language, reader, writer),
  );
});
