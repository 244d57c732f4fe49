import { Inject, Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { AuditService } from '../history/audit.service.js';
import { PostRevision } from '../history/post-revision.entity.js';
import type { Author } from '../http/request/author.js';
import type { BodyShare } from '../http/request/body-shares.js';
import { hasSameContent, type NewPost } from '../posts/post.entity.js';
import { MAX_POST_ID } from '../posts/post-id.js';
import { PostsRepository } from '../posts/posts.repository.js';
import { PostListeners } from '../posts/writes/post-listeners.js';
import { PostWritesRepository } from '../posts/writes/post-writes.repository.js';
import type { IdRange } from '../posts/writes/staged-ids.js';
import type { InputFault } from '../problem-details/problem.js';
import { Conflict, InvalidRequest } from '../problem-details/problems.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { type Delimiter, type FileEncoding, recognizeFile } from './file-recognition.js';
import { ImportEngine } from './import-engine.js';
import { ImportFile, temporaryFileFor } from './import-file.js';
import { CsvFormat, faultsOfLine, MAX_FAULTS, ndjsonFormat, type ReadPost } from './import-formats.js';
import { readImportLines } from './import-lines.js';
import { ImportsService } from './imports.service.js';
import type { TemporaryFile } from './temporary-file.js';

/** `replace`: rows with the id of a post replace it, and all others are new. `create`: ids are ignored. */
export type FileImportMode = 'create' | 'replace';

export interface FileImportCounts {
  readonly created: number;
  readonly replaced: number;
  /** Posts that have the content of their row already. */
  readonly unchanged: number;
}

/** What an import of the file would do. Without faults, {@link FileImportsService.store} does it. */
export interface FileCheck extends FileImportCounts {
  readonly format: 'ndjson' | 'csv' | undefined;
  readonly encoding: FileEncoding | undefined;
  readonly delimiter: Delimiter | undefined;
  readonly columns: readonly string[] | undefined;
  /** The first posts, with the beginnings of their bodies. */
  readonly sample: readonly NewPost[];
  /** The first thousand. */
  readonly faults: readonly LineFault[];
}

export interface FileImportResult extends FileImportCounts {
  readonly ids: IdRange | undefined;
  /** The entry of the change log; null when nothing has changed. */
  readonly entry: number | null;
}

type LineFault = InputFault & { readonly line: number };

/** A check reports more faults than an import, because people correct the file from its list of faults. */
const MAX_CHECKED_FAULTS = 1_000;
const SAMPLE_POSTS = 5;
const SAMPLE_CHARACTERS = 200;
/** They are replaced in one transaction, for which other writes wait: some 100 µs each. */
const MAX_REPLACED = 10_000;
/** How many posts are compared with the stored ones, or replaced, at a time. */
const BATCH_ROWS = 200;
const BATCH_LENGTH = 1_048_576;

/** A row of the temporary file of replacements. */
type Replacement = readonly [id: number, version: number, post: NewPost];

/** Where the rows of a file go. */
interface Targets {
  readonly created: (post: NewPost) => Promise<void>;
  readonly replaced: (replacement: Replacement) => Promise<void>;
}

/** Imports files as people make them: in any common encoding, and as replacements of posts that were exported. */
@Injectable()
export class FileImportsService {
  constructor(
    private readonly imports: ImportsService,
    private readonly engine: ImportEngine,
    private readonly search: SearchIndexRepository,
    private readonly posts: PostsRepository,
    private readonly writes: PostWritesRepository,
    private readonly audit: AuditService,
    private readonly database: Database,
    private readonly listeners: PostListeners,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Reads a file without storing anything. @throws BodyTooLarge when a row is too long */
  check(body: AsyncIterable<Buffer>, mode: FileImportMode, memory?: BodyShare): Promise<FileCheck> {
    return this.#read(
      body,
      { mode, memory, maxFaults: MAX_CHECKED_FAULTS },
      { created: dropped, replaced: dropped },
    );
  }

  /**
   * Stores all posts of a file, or none.
   *
   * @throws InvalidRequest with the numbers of the invalid rows
   * @throws PostHasChanged when a post was changed after its row was compared with it
   */
  store(
    body: AsyncIterable<Buffer>,
    mode: FileImportMode,
    author: Author,
    {
      cancel,
      memory,
    }: { readonly cancel?: AbortSignal | undefined; readonly memory?: BodyShare | undefined } = {},
  ): Promise<FileImportResult> {
    return this.imports.run(async (stop) => {
      const created = await ImportFile.create(this.settings.database, this.search);
      const replaced = await temporaryFileFor(this.settings.database);
      try {
        const { faults, ...counts } = await this.#read(
          body,
          { mode, memory, maxFaults: MAX_FAULTS },
          { created: (post) => created.add(post), replaced: (replacement) => replaced.add(replacement) },
        );
        if (faults.length > 0) throw new InvalidRequest([...faults]);
        const publish = (transaction: Transaction, ids?: IdRange): Promise<FileImportResult> =>
          this.#publish(transaction, author, { counts, replaced, ids });
        return created.count === 0
          ? await this.database.write((transaction) => publish(transaction))
          : await this.engine.store(created, '', publish, { stop, cancel });
      } finally {
        await Promise.all([created.close(), replaced.close()]);
      }
    });
  }

  async #read(
    body: AsyncIterable<Buffer>,
    { mode, memory, maxFaults }: { mode: FileImportMode; memory: BodyShare | undefined; maxFaults: number },
    targets: Targets,
  ): Promise<FileCheck> {
    const reading = new FileReading(this.posts, mode, targets);
    try {
      const { format: name, encoding, delimiter, text } = await recognizeFile(body);
      const csv = name === 'csv' ? new CsvFormat(delimiter) : undefined;
      const limits = {
        maxLineBytes: this.settings.maxBodyBytes,
        format: csv ?? ndjsonFormat,
        memory,
        maxFaults,
      };
      try {
        for await (const row of readImportLines(text, limits)) {
          if (row.post) await reading.add(row);
          else reading.faults.push(...(row.faults as LineFault[]));
        }
        await reading.finish();
      } catch (error) {
        reading.refuse(error);
      }
      return {
        ...reading.result(maxFaults),
        format: name,
        encoding: encoding(),
        delimiter,
        columns: csv?.columns,
      };
    } catch (error) {
      reading.refuse(error);
      const unknown = { format: undefined, encoding: undefined, delimiter: undefined, columns: undefined };
      return { ...reading.result(maxFaults), ...unknown };
    }
  }

  /** Replaces posts, and records the import as one entry of the change log. May run again after a rollback. */
  async #publish(
    transaction: Transaction,
    author: Author,
    {
      counts,
      replaced,
      ids,
    }: { counts: FileImportCounts; replaced: TemporaryFile; ids: IdRange | undefined },
  ): Promise<FileImportResult> {
    const { created, replaced: count, unchanged } = counts;
    const entry =
      count > 0
        ? await this.audit.record(transaction, { action: 'imported', author, count: created + count })
        : undefined;
    const by = entry === undefined ? author : { ...author, partOf: entry };
    for await (const line of replaced.lines()) {
      const [id, version, post] = JSON.parse(line) as Replacement;
      const before = await this.writes.findForUpdate(transaction, id);
      if (before?.version !== version) throw new PostHasChanged(id);
      await this.writes.change(transaction, [
        { action: 'changed', author: by, before, after: { ...post, id, version: version + 1 } },
      ]);
    }
    if (ids) await this.listeners.onImport(transaction, { author: by, ...ids });
    return {
      created,
      replaced: count,
      unchanged,
      ids,
      entry: entry ?? (ids ? await creationOf(transaction, ids) : null),
    };
  }
}

function dropped(): Promise<void> {
  return Promise.resolve();
}

/** An import that only creates posts is logged as one row for all of them. @returns its id */
async function creationOf({ manager }: Transaction, { first, last }: IdRange): Promise<number> {
  const where = { number: 1, postId: first, lastPostId: last };
  const row = await manager.findOneOrFail(PostRevision, { select: { id: true }, where });
  return row.id;
}

/** Divides the rows of a file into posts to create and posts to replace. */
class FileReading {
  readonly faults: LineFault[] = [];
  readonly #sample: NewPost[] = [];
  readonly #replacedIds = new Set<number>();
  #created = 0;
  #replaced = 0;
  #unchanged = 0;
  #rows: (ReadPost & { readonly line: number })[] = [];
  #length = 0;

  constructor(
    private readonly posts: PostsRepository,
    private readonly mode: FileImportMode,
    private readonly targets: Targets,
  ) {}

  async add(row: ReadPost & { readonly line: number }): Promise<void> {
    const { post } = row;
    if (this.#sample.length < SAMPLE_POSTS)
      this.#sample.push({
        ...post,
        body: Array.from(post.body.slice(0, 2 * SAMPLE_CHARACTERS))
          .slice(0, SAMPLE_CHARACTERS)
          .join(''),
      });
    this.#rows.push(row);
    this.#length += post.body.length;
    if (this.#rows.length >= BATCH_ROWS || this.#length > BATCH_LENGTH) await this.finish();
  }

  /** Decides about the rows that were added. */
  async finish(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    this.#length = 0;
    const ids = this.mode === 'create' ? [] : rows.flatMap(({ id }) => idOf(id) ?? []);
    const found = ids.length === 0 ? [] : await this.posts.findByIds(ids);
    const stored = new Map(found.map((post) => [post.id, post]));
    for (const row of rows) {
      const id = this.mode === 'create' ? undefined : idOf(row.id);
      if (id === null)
        this.#refuse(row.line, 'The id must be an integer from 1, or empty.', 'not_an_integer');
      else if (id === undefined || !stored.has(id)) await this.#create(row.post);
      else if (this.#replacedIds.has(id)) this.#refuse(row.line, 'Another row has the same id.', 'repeated');
      else await this.#replace(id, row);
    }
  }

  /** Adds the faults of a file that cannot be read further. @throws everything else */
  refuse(error: unknown): void {
    if (!(error instanceof InvalidRequest)) throw error;
    this.faults.push(...((error.errors ?? []) as LineFault[]));
  }

  result(maxFaults: number): FileImportCounts & Pick<FileCheck, 'sample' | 'faults'> {
    return {
      created: this.#created,
      replaced: this.#replaced,
      unchanged: this.#unchanged,
      sample: this.#sample,
      faults: this.faults.toSorted((a, b) => a.line - b.line).slice(0, maxFaults),
    };
  }

  async #create(post: NewPost): Promise<void> {
    this.#created += 1;
    if (this.faults.length === 0) await this.targets.created(post);
  }

  async #replace(id: number, { post, hasDate, line }: ReadPost & { readonly line: number }): Promise<void> {
    this.#replacedIds.add(id);
    // The posts that are found together have no large bodies.
    const current = await this.posts.findById(id);
    if (!current) return this.#create(post);
    const after = hasDate ? post : { ...post, pubDate: current.pubDate };
    if (hasSameContent(after, current)) {
      this.#unchanged += 1;
      return undefined;
    }
    this.#replaced += 1;
    if (this.#replaced === MAX_REPLACED + 1)
      this.#refuse(line, `At most ${MAX_REPLACED} posts can be replaced at a time.`, 'too_many');
    if (this.faults.length === 0) await this.targets.replaced([id, current.version, after]);
    return undefined;
  }

  #refuse(line: number, detail: string, code: InputFault['code']): void {
    const fault = new InvalidRequest([{ detail, code, pointer: '/id' }]);
    this.faults.push(...faultsOfLine(line, fault));
  }
}

/** @returns undefined without an id, null for one that is no id */
function idOf(id: unknown): number | null | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  if (typeof id !== 'number' && typeof id !== 'string') return null;
  const number = /^[1-9]\d*$/.test(String(id)) ? Number(id) : NaN;
  return number <= MAX_POST_ID ? number : null;
}

/** 409: the rows were compared with an earlier state of the post. */
class PostHasChanged extends Conflict {
  constructor(id: number) {
    super(`The post ${id} has just been changed; nothing was imported.`);
  }
}
