import { Inject, Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { AuditService } from '../history/audit.service.js';
import { ChangesRepository } from '../history/changes.repository.js';
import { CSV_TYPE } from '../http/protocol/media-type.js';
import type { Author } from '../http/request/author.js';
import type {
  ImportCompletion,
  ImportResult as StoredPosts,
  ImportSource as PostsSource,
  PostImports,
} from '../posts/post-imports.js';
import { PostsRepository } from '../posts/posts.repository.js';
import { PostListeners } from '../posts/writes/post-listeners.js';
import { postAfter } from '../posts/writes/post-change.js';
import { PostWritesRepository } from '../posts/writes/post-writes.repository.js';
import type { IdRange } from '../posts/writes/staged-ids.js';
import { Conflict, InvalidRequest } from '../problem-details/problems.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { type Delimiter, type FileEncoding, recognizeFile } from './file-recognition.js';
import { stagedBatches } from './import-batches.js';
import { ImportEngine } from './import-engine.js';
import { CsvFormat, type ImportFormat, ndjsonFormat } from './import-formats.js';
import { faultsOf, type LineFault, MAX_FAULTS, readPosts } from './import-lines.js';
import { type ImportCounts, ImportFiles, ImportPlan, type Replacement } from './import-plan.js';

/** The posts to import, and how to read them. */
export interface ImportSource extends Omit<PostsSource, 'mediaType'> {
  /** Undefined for a file as people make them: its format, encoding and delimiter are recognized. */
  readonly mediaType?: string | undefined;
  /** Whether lines with the id of a post replace it. Otherwise ids are ignored, and all posts are new. */
  readonly replaces?: boolean;
  /** Restores the text of a cell of CSV that an export for spreadsheets has changed. */
  readonly textOf?: (cell: string) => string;
}

export interface ImportResult extends ImportCounts, StoredPosts {
  /** The entry of the change log; null when nothing has changed. */
  readonly entry: number | null;
}

export interface ImportOptions {
  /** Cancels the import, which stores nothing and throws the signal's reason. */
  readonly cancel?: AbortSignal | undefined;
  /** Called with the number of stored posts. Storing starts after all posts are validated. */
  readonly onProgress?: (posts: number, total: number) => void;
}

/** What the beginning of a file shows; undefined what it does not. */
interface FileDescription {
  readonly format?: 'ndjson' | 'csv';
  readonly encoding?: FileEncoding;
  readonly delimiter?: Delimiter | undefined;
  readonly columns?: readonly string[] | undefined;
}

/** What an import of the file would do. */
export interface ImportCheck extends FileDescription, ImportCounts {
  /** The first titles. */
  readonly titles: readonly string[];
  /** The first {@link MAX_FAULTS}. With faults, nothing can be imported. */
  readonly faults: readonly LineFault[];
}

/** Imports any number of posts, all or none, in little memory. */
@Injectable()
export class ImportsService implements PostImports {
  constructor(
    private readonly engine: ImportEngine,
    private readonly posts: PostsRepository,
    private readonly writes: PostWritesRepository,
    private readonly search: SearchIndexRepository,
    private readonly database: Database,
    private readonly listeners: PostListeners,
    private readonly audit: AuditService,
    private readonly changes: ChangesRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Validates an import without storing it. @throws BodyTooLarge when a line is too long */
  async check(source: ImportSource): Promise<ImportCheck> {
    const plan = this.#planOf(source);
    const file = await this.#read(source, plan);
    return { ...file, ...plan.counts, titles: plan.titles, faults: plan.faults.slice(0, MAX_FAULTS) };
  }

  /**
   * Stores posts from NDJSON, one per line, or CSV, one per record. Nothing is written to the database before all posts
   * are validated.
   *
   * @throws InvalidRequest with the numbers of the invalid lines
   * @throws BodyTooLarge when a line is too long
   * @throws PostHasChanged when a post was changed after its line was compared with it
   * @throws IdempotencyKeyInUse while another instance runs the import of the same request
   * @throws ServiceStopping
   */
  async store<Result>(
    source: ImportSource,
    author: Author,
    { key, after }: ImportCompletion<Result, ImportResult>,
    { cancel, onProgress }: ImportOptions = {},
  ): Promise<Result> {
    const files = new ImportFiles(this.settings.database);
    try {
      const plan = this.#planOf(source, files);
      await this.#read(source, plan);
      if (plan.faults.length > 0) throw new InvalidRequest(plan.faults.slice(0, MAX_FAULTS));
      const publish = async (transaction: Transaction, ids?: IdRange): Promise<Result> =>
        after(transaction, await this.#publish(transaction, author, plan.counts, files, ids));
      const { created: count } = plan;
      if (count === 0) return await this.database.write((transaction) => publish(transaction));
      return await this.engine.store({
        count,
        batches: stagedBatches(files.created.lines()),
        key,
        cancel,
        onProgress: (posts) => onProgress?.(posts, count),
        publish,
      });
    } finally {
      await files.close();
    }
  }

  #planOf({ replaces = false }: ImportSource, files?: ImportFiles): ImportPlan {
    return new ImportPlan(this.posts, this.search, replaces, files);
  }

  async #read(source: ImportSource, plan: ImportPlan): Promise<FileDescription> {
    const { body, mediaType, memory, textOf } = source;
    if (mediaType !== undefined) {
      await this.#readPosts(body, mediaType === CSV_TYPE ? new CsvFormat() : ndjsonFormat, memory, plan);
      return {};
    }
    const chunks = body[Symbol.asyncIterator]();
    try {
      const { text, format, encoding, delimiter } = await recognizeFile(chunks);
      const csv = format === 'csv' ? new CsvFormat(delimiter, textOf) : undefined;
      await this.#readPosts(text, csv ?? ndjsonFormat, memory, plan);
      return { format, encoding, delimiter, columns: csv?.columns };
    } catch (error) {
      plan.faults.push(...faultsOf(error, 1));
      return {};
    } finally {
      // A browser shows the response only after it has sent the whole file.
      while (!(await chunks.next()).done) continue;
    }
  }

  async #readPosts(
    body: AsyncIterable<Buffer>,
    format: ImportFormat,
    memory: ImportSource['memory'],
    plan: ImportPlan,
  ): Promise<void> {
    const limits = { maxLineBytes: this.settings.maxBodyBytes, memory };
    for await (const line of readPosts(body, format, limits, plan.faults)) {
      await plan.add(line);
      if (plan.faults.length >= MAX_FAULTS) return;
    }
  }

  /** Replaces posts, and records the import as one entry of the change log. May run again after a rollback. */
  async #publish(
    transaction: Transaction,
    author: Author,
    counts: ImportCounts,
    files: ImportFiles,
    ids: IdRange | undefined,
  ): Promise<ImportResult> {
    const { created, replaced } = counts;
    let by = author;
    let entry: number | null = null;
    if (replaced > 0) {
      entry = await this.audit.record(transaction, { action: 'imported', author, count: created + replaced });
      by = { ...author, partOf: entry };
    }
    for await (const line of files.replaced.lines()) {
      const [id, version, post] = JSON.parse(line) as Replacement;
      const before = await this.writes.findForUpdate(transaction, id);
      if (before?.version !== version) throw new PostHasChanged(id);
      const after = postAfter(post, id, version + 1);
      await this.writes.apply(transaction, [{ action: 'changed', author: by, before, after }]);
    }
    if (ids) await this.listeners.onImport(transaction, { author: by, ...ids });
    if (ids && replaced === 0) entry = await this.changes.entryOfImport(transaction, ids);
    return { ...counts, ids, entry };
  }
}

/** 409: the lines were compared with an earlier state of the post. */
class PostHasChanged extends Conflict {
  constructor(id: number) {
    super(`The post ${id} has just been changed; nothing was imported.`);
  }
}
