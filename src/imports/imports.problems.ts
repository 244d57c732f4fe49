import { ProblemOf } from '../problem-details/index.js';

export class ImportTooLong extends ProblemOf({
  status: 413,
  slug: 'import-too-long',
  explanation: 'Storing the import takes longer than other writes can wait for it. Nothing was stored.',
  remedy: 'Import smaller files one after another. With PostgreSQL, imports have no such limit.',
}) {
  constructor(limitMs: number) {
    super(
      `The import takes more than ${limitMs / 1_000} s to store, and other writes wait for it. Send smaller files; ` +
        'a service with PostgreSQL takes it as it is.',
    );
  }
}
