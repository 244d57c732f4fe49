import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { type NewPost, POST_CONTENT } from '../posts/post.entity.js';
import type { SearchIndexRepository } from '../search/search-index.repository.js';
import type { Settings } from '../settings/settings.js';
import { TemporaryFile } from './temporary-file.js';

/** The folder of the database has the space for an import; a database server's folder is elsewhere. */
export function temporaryFileFor(database: Settings['database']): Promise<TemporaryFile> {
  return TemporaryFile.create(database.kind === 'sqlite' ? dirname(database.path) : tmpdir());
}

/** Holds validated posts, and their words, in the lines that `batchesOf` (import-batches.ts) reads. */
export class ImportFile {
  count = 0;

  private constructor(
    private readonly file: TemporaryFile,
    private readonly search: SearchIndexRepository,
  ) {}

  static async create(database: Settings['database'], search: SearchIndexRepository): Promise<ImportFile> {
    return new ImportFile(await temporaryFileFor(database), search);
  }

  async add(post: NewPost): Promise<void> {
    const place = this.count++;
    await this.file.add([place, ...POST_CONTENT.map((property) => post[property])]);
    for (const [part, words] of (await this.search.wordsOf(post)).entries())
      await this.file.add([place, part, words]);
  }

  lines(): AsyncGenerator<string> {
    return this.file.lines();
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
