import { Inject, Injectable } from '@nestjs/common';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { Database, type Transaction } from '../database/database.js';
import { AuditService } from '../history/audit.service.js';
import { CSV_TYPE } from '../http/protocol/media-type.js';
import type { Author } from '../http/request/author.js';
import type {
  ImportCounts,
  ImportRequest,
  ImportResult,
  ImportSource,
  PostImports,
} from '../posts/post-imports.js';
import { PostsRepository } from '../posts/posts.repository.js';
import { postAfter } from '../posts/writes/post-changes.js';
import { hasBody, PostWritesRepository } from '../posts/writes/post-writes.repository.js';
import type { IdRange } from '../posts/post-collection.entity.js';
import { Conflict, InvalidRequest } from '../problem-details/problems.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { CsvFile, ndjsonFile } from './file-formats.js';
import { type FileDescription, recognizeFile } from './file-recognition.js';
import { stagedBatches } from './import-batches.js';
import { ImportEngine } from './import-engine.js';
import { CsvFormat, type ImportFormat, ndjsonFormat } from './import-formats.js';
import { faultsOf, type FileFault, MAX_FAULTS, readPosts, toLineFault } from './import-lines.js';
import { type AffectedPost, type ImportFiles, ImportPlan, type Replacement } from './import-plan.js';
import { TemporaryFile } from './temporary-file.js';

/** What an import of the file would do. */
export interface ImportCheck extends FileDescription, ImportCounts {
  readonly columns?: readonly string[] | undefined;
  /** Some titles, which show whether the encoding is the right one. */
  readonly titles: readonly string[];
  /** The first {@link MAX_FAULTS}. With faults, nothing can be imported. */
  readonly faults: readonly FileFault[];
  /** The first posts that the import would replace. */
  readonly replacements: readonly AffectedPost[];
  /** The first posts that were changed or deleted after the export. */
  readonly conflicts: readonly AffectedPost[];
}

/** Imports any number of posts, all or none, in little memory. */
@Injectable()
export class ImportsService implements PostImports {
  /** The folder of the database has the space for an import; a database server's folder is elsewhere. */
  readonly #folder: string;

  constructor(
    private readonly engine: ImportEngine,
    private readonly posts: PostsRepository,
    private readonly writes: PostWritesRepository,
    private readonly search: SearchIndexRepository,
    private readonly database: Database,
    private readonly audit: AuditService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.#folder = settings.database.kind === 'sqlite' ? dirname(settings.database.path) : tmpdir();
  }

  /** Validates an import without storing it. @throws BodyTooLarge when a line is too long */
  async check(source: ImportSource): Promise<ImportCheck> {
    const { file, plan } = await this.#read(source);
    const { counts, titles, replacements, conflicts } = plan;
    return { ...file, ...counts, titles, replacements, conflicts, faults: plan.faults.slice(0, MAX_FAULTS) };
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
  async store<Result>(request: ImportRequest<Result>): Promise<Result> {
    const { author, after } = request;
    const files = { created: new TemporaryFile(this.#folder), replaced: new TemporaryFile(this.#folder) };
    try {
      const { plan } = await this.#read(request, files);
      if (plan.faults.length > 0) throw new InvalidRequest(plan.faults.slice(0, MAX_FAULTS).map(toLineFault));
      const { counts } = plan;
      const publish = async (transaction: Transaction, ids?: IdRange): Promise<Result> =>
        after(transaction, await this.#publish(transaction, author, counts, files, ids));
      if (counts.created === 0) return await this.database.write((transaction) => publish(transaction));
      const batches = stagedBatches(files.created.lines());
      return await this.engine.store(request, { count: counts.created, batches, publish });
    } finally {
      await Promise.all([files.created.close(), files.replaced.close()]);
    }
  }

  async #read(
    { body, mediaType, replaces = false, overrides = false }: ImportSource,
    files?: ImportFiles,
  ): Promise<{
    readonly file: Pick<ImportCheck, keyof FileDescription | 'columns'>;
    readonly plan: ImportPlan;
  }> {
    const plan = new ImportPlan(this.posts, this.database, this.search, { replaces, overrides }, files);
    const readAll = async (text: AsyncIterable<Buffer>, format: ImportFormat): Promise<void> => {
      const limits = { maxLineBytes: this.settings.maxBodyBytes, memory: body.share };
      for await (const line of readPosts(text, format, limits, plan.faults)) {
        await plan.add(line);
        if (plan.faults.length >= MAX_FAULTS) return;
      }
    };
    if (mediaType !== undefined) {
      await readAll(body, mediaType === CSV_TYPE ? new CsvFormat() : ndjsonFormat);
      return { file: {}, plan };
    }
    const chunks = body[Symbol.asyncIterator]();
    try {
      const { text, lineEnd, ...file } = await recognizeFile(chunks);
      const { delimiter, encoding } = file;
      const csv = delimiter && new CsvFile(delimiter, lineEnd, encoding);
      await readAll(text, csv ?? ndjsonFile);
      return { file: { ...file, columns: csv?.columns?.filter((name) => name !== '') }, plan };
    } catch (error) {
      plan.faults.push(...faultsOf(error, { number: 1, row: 1 }));
      return { file: {}, plan };
    } finally {
      // A browser shows the response only after it has sent the whole file.
      while (!(await chunks.next()).done) continue;
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
      const [before] = (await this.writes.findForUpdate(transaction, [id])).filter(hasBody);
      if (before?.version !== version) throw new PostHasChanged(id);
      const after = postAfter(post, id, version + 1);
      await this.writes.apply(transaction, [{ action: 'changed', author: by, before, after }]);
    }
    const creation = ids && (await this.audit.recordImport(transaction, by, ids));
    return { ...counts, ids, entry: entry ?? creation ?? null };
  }
}

/** 409: the lines were compared with an earlier state of the post. */
class PostHasChanged extends Conflict {
  constructor(id: number) {
    super(`The post ${id} has just been changed; nothing was imported.`);
  }
}
