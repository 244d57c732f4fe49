import { Inject, Injectable } from '@nestjs/common';
import { type ChangeHooks, Database, DatabaseFault, type Transaction } from '../database/index.js';
import { AuditService } from '../history/audit.service.js';
import type { Client } from '../limits/index.js';
import { assertMayStill } from '../users/permissions.js';
import type { Author } from '../users/user.js';
import { CSV_TYPE } from '../posts/formats/list-representations.js';
import { prefetched } from '../posts/lists/prefetched.js';
import type { ImportCounts, ImportRequest, ImportResult, ImportSource } from './import-request.js';
import type { Post } from '../posts/post.entity.js';
import { type PostChange, postAfter } from '../posts/writes/post-changes.js';
import { PostWritesRepository } from '../posts/writes/post-writes.repository.js';
import { TakenValuesRepository } from '../posts/writes/taken-values.repository.js';
import { Conflict, InvalidRequest, PreconditionFailed, Problem } from '../problem-details/index.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { ImportTooLong } from './imports.problems.js';
import { CsvFile, LiteralTsvFile } from './file-formats.js';
import { type FileDescription, recognizeFile } from './file-recognition.js';
import { CsvFormat, type ImportFormat, ndjson } from './import-formats.js';
import {
  faultsOfLine,
  type FileFault,
  firstFaults,
  type LineFault,
  MAX_FAULTS,
  readPosts,
  takenFaults,
  toLineFault,
} from './import-lines.js';
import {
  type AffectedPost,
  ImportPlan,
  outdatedLine,
  type PlannedPost,
  plannedBatches,
  type ReplacedPost,
  unknownId,
} from './import-plan.js';
import { type TemporaryFile, TemporaryFiles } from '../temporary-files/temporary-files.js';
import type { SampleRow } from './import-samples.js';

/** What an import of the file would do. */
export interface ImportCheck extends FileDescription, ImportCounts {
  readonly columns?: readonly string[] | undefined;
  /** Some titles, which show whether the encoding is the right one. */
  readonly titles: readonly string[];
  /** The first rows, as they would be stored. */
  readonly rows: readonly SampleRow[];
  /** The first {@link MAX_FAULTS}. With faults, nothing can be imported. */
  readonly faults: readonly FileFault[];
  /** The first posts that the import would replace. */
  readonly replacements: readonly AffectedPost[];
  /** The first posts that were changed or deleted after the export. */
  readonly conflicts: readonly AffectedPost[];
}

/** What a check says about the file itself; nothing for the formats of the API. */
type ReadFile = Pick<ImportCheck, keyof FileDescription | 'columns'>;

/** Imports any number of posts, all or none, in little memory. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly writes: PostWritesRepository,
    private readonly database: Database,
    private readonly takenValues: TakenValuesRepository,
    private readonly audit: AuditService,
    private readonly files: TemporaryFiles,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Validates an import without storing it. @throws BodyTooLarge when a line is too long */
  async check(source: ImportSource): Promise<ImportCheck> {
    const { file, plan } = await this.#read(source);
    const { counts, titles, rows, replacements, conflicts } = plan;
    const faults = firstFaults([...plan.faults, ...plan.taken]);
    return { ...file, ...counts, titles, rows, replacements, conflicts, faults };
  }

  /**
   * Stores posts from NDJSON, one per line, or CSV, one per record, in one transaction, which begins after all posts are
   * validated.
   *
   * @throws InvalidRequest with the numbers of the invalid lines
   * @throws PreconditionFailed with the numbers of the lines whose posts have another entity tag
   * @throws LinesAreTaken with the numbers of the lines whose unique values other posts have
   * @throws BodyTooLarge when a line is too long
   * @throws PostHasChanged when a post was changed after its line was compared with it
   * @throws TokenUnknown or RoleMissing when the author may no longer write
   * @throws ImportTooLong, ServiceStopping, ClientGone, and what the hooks throw
   */
  async store(request: ImportRequest, hooks?: ChangeHooks<ImportResult>): Promise<ImportResult> {
    const file = this.files.open(clientOf(request).name);
    try {
      const { plan } = await this.#read(request, file);
      if (plan.faults.length > 0) throw new InvalidRequest(firstFaults(plan.faults).map(toLineFault));
      if (plan.outdated.length > 0) throw new LinesAreOutdated(plan.outdated);
      if (plan.takenKind) throw new LinesAreTaken(plan.takenKind, plan.taken.map(toLineFault));
      return await this.database.writeAtLength(async (transaction) => {
        const endsAt = performance.now() + this.database.maxWriteMs;
        /** Call it before each statement: it throws when the import must end. */
        const goOn = (): void => {
          request.body.signal?.throwIfAborted();
          if (performance.now() > endsAt) throw new ImportTooLong(this.database.maxWriteMs);
        };
        await assertMayStill(transaction, request.author, 'editor');
        await hooks?.before(transaction);
        const stored = await this.#store(transaction, request, plan.counts, file, goOn);
        const result = { ...plan.counts, ...stored };
        await hooks?.after(transaction, result);
        // On PostgreSQL, the author may have lost the permission while the posts were stored.
        await assertMayStill(transaction, request.author, 'editor');
        return result;
      }, clientOf(request));
    } catch (error) {
      throw (await this.#takenLine(error, file, clientOf(request))) ?? error;
    } finally {
      await file.close();
    }
  }

  /** After a violation of a unique index: another client has taken the value after its line was looked at. */
  async #takenLine(fault: unknown, file: TemporaryFile, client: Client): Promise<Problem | undefined> {
    if (!(fault instanceof DatabaseFault) || fault.kind !== 'duplicate') return undefined;
    const search = this.takenValues.search(client);
    for await (const batch of plannedBatches(file, client.name)) {
      await search.look(batch.map(({ post }) => post));
      for (const { post, line, replaces } of batch) {
        const problem = search.problemOf(post, replaces?.id ?? 0, line);
        if (!problem) continue;
        const faults = takenFaults(problem, { number: line, row: line }, post.title);
        return new LinesAreTaken(problem.kind, faults.map(toLineFault));
      }
    }
    return undefined;
  }

  /** @param stored where the posts wait until all of them are validated; undefined for a check */
  async #read(
    source: ImportSource,
    stored?: TemporaryFile,
  ): Promise<{ readonly file: ReadFile; readonly plan: ImportPlan }> {
    const { body, mediaType } = source;
    const client = clientOf(source);
    const reader = this.database.readerOf(client);
    const plan = new ImportPlan(this.writes, reader, this.takenValues.search(client), source, stored, client);
    if (mediaType === undefined) return { file: await this.#planFile(source, plan), plan };
    await this.#planLines(body, mediaType === CSV_TYPE ? new CsvFormat() : ndjson, source, plan);
    return { file: {}, plan };
  }

  /** Plans the lines of a file as people make them. A file that is not a list of posts has a fault in its first line. */
  async #planFile(source: ImportSource, plan: ImportPlan): Promise<ReadFile> {
    const chunks = source.body[Symbol.asyncIterator]();
    try {
      const { text, hasLiteralQuotes, ...file } = await recognizeFile(chunks);
      const { delimiter, encoding } = file;
      if (delimiter === undefined) {
        await this.#planLines(text, ndjson, source, plan);
        return file;
      }
      const csv = hasLiteralQuotes ? new LiteralTsvFile(encoding) : new CsvFile(delimiter, encoding);
      await this.#planLines(text, csv, source, plan);
      return { ...file, columns: csv.columns?.filter((name) => name !== '') };
    } catch (error) {
      plan.faults.push(...faultsOfLine(error, { number: 1, row: 1 }));
      return {};
    } finally {
      // A browser shows the response only after it has sent the whole file.
      while (!(await chunks.next()).done) continue;
    }
  }

  async #planLines(
    text: AsyncIterable<Buffer>,
    format: ImportFormat,
    source: ImportSource,
    plan: ImportPlan,
  ): Promise<void> {
    const rules = {
      isFile: source.mediaType === undefined,
      client: clientOf(source).name,
      signal: source.body.signal,
      maxLineBytes: this.settings.maxBodyBytes,
      memory: source.body.share,
    };
    for await (const line of readPosts(text, format, rules, plan.faults)) {
      await plan.add(line);
      if (plan.faults.length >= MAX_FAULTS) return;
    }
    await plan.complete();
  }

  /** Stores the posts, and records the import as one entry of the change log. May run again after a rollback. */
  async #store(
    transaction: Transaction,
    request: ImportRequest,
    { created, replaced }: ImportCounts,
    file: TemporaryFile,
    goOn: () => void,
  ): Promise<Pick<ImportResult, 'ids' | 'entry'>> {
    const { author, merges } = request;
    const count = created + replaced;
    if (count === 0) return { ids: undefined, entry: null };
    const entry = await this.audit.record(transaction, { action: 'imported', author, count });
    const by = { ...author, partOf: entry };
    let ids: ImportResult['ids'];
    for await (const batch of prefetched(plannedBatches(file, clientOf(request).name))) {
      goOn();
      const replacedIds = batch.flatMap(({ replaces }) => replaces?.id ?? []);
      const found = await this.writes.findForUpdate(transaction, replacedIds);
      const small = new Map(found.map((post) => [post.id, post]));
      const changes: PostChange[] = [];
      for (const planned of batch) {
        const { replaces } = planned;
        const before = replaces && small.get(replaces.id);
        if (!replaces) {
          changes.push(creationOf(planned, by));
        } else if (before) {
          changes.push(replacementOf(planned, replaces, before, by, merges));
        } else {
          // Many large posts would exceed the memory, and each takes as long as many small ones.
          goOn();
          const [large] = await this.writes.findForUpdate(transaction, [replaces.id]);
          await this.writes.apply(transaction, [replacementOf(planned, replaces, large, by, merges)]);
        }
      }
      await this.writes.apply(transaction, changes);
      for (const { action, after } of changes)
        if (action === 'imported') ids = { first: ids?.first ?? after.id, last: after.id };
    }
    return { ids, entry };
  }
}

function creationOf({ post, prepared }: PlannedPost, author: Author): PostChange {
  return { action: 'imported', author, prepared, before: undefined, after: postAfter(post) };
}

/**
 * @param before the post as it is stored now; undefined when it was deleted
 * @param merges whether lines are stored by the rules of the API
 * @throws PostHasChanged, LinesAreOutdated or InvalidRequest when it is not the one that its line was compared with
 */
function replacementOf(
  { post, prepared, line }: PlannedPost,
  { id, version, keepsDate }: ReplacedPost,
  before: Post | undefined,
  author: Author,
  merges: boolean | undefined,
): PostChange {
  const isMeant = before !== undefined && (version === undefined || version === before.version);
  if (!isMeant) throw merges ? changedMeanwhile(id, line, before) : new PostHasChanged(id);
  const content = keepsDate ? { ...post, pubDate: before.pubDate } : post;
  const after = postAfter(content, id, before.version + 1);
  return { action: 'changed', author, prepared, before, after };
}

function clientOf({ body }: ImportSource): Client {
  return { name: body.client ?? '', ...(body.signal && { signal: body.signal }) };
}

/** 412: lines name entity tags that their posts do not have any more. */
class LinesAreOutdated extends PreconditionFailed {
  constructor(errors: readonly LineFault[]) {
    super('Posts have other entity tags than their lines; nothing was stored.', { errors });
  }
}

/** 409: lines have unique values that other posts have. */
class LinesAreTaken extends Problem {
  /** @param kind of the value that the first line has */
  constructor(kind: Problem['kind'], errors: readonly LineFault[]) {
    super('Other posts have values that must be unique; nothing was stored.', { kind, errors });
  }
}

/** The problem when another client has changed or deleted the post after its line was compared with it. */
function changedMeanwhile(id: number, line: number, stored: Post | undefined): Problem {
  if (stored) return new LinesAreOutdated([outdatedLine(id, line)]);
  return new InvalidRequest([Object.assign(unknownId(id), { line })]);
}

/** 409: the lines were compared with an earlier state of the post. */
class PostHasChanged extends Conflict {
  constructor(id: number) {
    super(`The post ${id} has just been changed; nothing was imported.`);
  }
}
