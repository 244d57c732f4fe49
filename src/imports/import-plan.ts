import type { Prepared, Queryable } from '../database/index.js';
import { NDJSON_TYPE, parseEntityTags } from '../http/protocol/index.js';
import { PostDto } from '../posts/dto/post.dto.js';
import { PostDeletion } from '../posts/post-collection.entity.js';
import { hasSameContent, type NewPost, type Post } from '../posts/post.entity.js';
import { isAscii } from '../posts/folded-text.js';
import { formatTime } from '../posts/pub-date.js';
import { LARGE_BODY_BYTES } from '../posts/post.entity.js';
import { assertMet } from '../posts/post-validators.js';
import type { ImportSource } from './import-request.js';
import { MAX_POST_ID } from '../posts/post-id.js';
import type { PostWritesRepository } from '../posts/writes/post-writes.repository.js';
import type { TakenValueSearch } from '../posts/writes/taken-values.repository.js';
import {
  type InputFault,
  InvalidRequest,
  PreconditionFailed,
  Preconditions,
  type Problem,
} from '../problem-details/index.js';
import type { Client } from '../limits/index.js';
import { inPieces, inTurn } from '../turns/index.js';
import { PIECE_LENGTH } from '../text/steps.js';
import { fingerprintInTurns } from './fingerprint.js';
import {
  faultsOfLine,
  type FileFault,
  type LineFault,
  MAX_FAULTS,
  type Place,
  type PostLine,
  takenFaults,
} from './import-lines.js';
import { changesOf, type FieldChange, sampleOf, type SampleRow } from './import-samples.js';
import { linesOf } from './lines.js';
import type { TemporaryFile } from '../temporary-files/temporary-files.js';

/** They are replaced in one transaction, for which other writes wait: some 100 µs each. */
const MAX_REPLACED = 10_000;
/** All of them are in memory, to find one that occurs twice. */
const MAX_IDS = 1_000_000;
const SAMPLE_TITLES = 5;
const SAMPLE_ROWS = 10;
/** How many affected posts a check lists: of those that are replaced, and of those with later changes. */
const MAX_LISTED = 100;

/** How many lines wait until their posts are read. */
const MAX_LINES = 128;

/** The most posts and text (in UTF-16 units) of a statement. One longer post alone is allowed. */
const MAX_ROWS = 500;
const MAX_LENGTH = 524_288;

/**
 * A post that an import stores. The temporary file has a batch of them a line, for one statement. A long body follows its
 * post in pieces, a line each: writing it at once would stop other requests.
 */
export interface PlannedPost {
  readonly post: NewPost;
  /** Prepared for the post by the listeners of changes. */
  readonly prepared: Prepared;
  readonly line: number;
  /** The post that it replaces; undefined for a new post. */
  readonly replaces?: ReplacedPost | undefined;
}

export interface ReplacedPost {
  readonly id: number;
  /** The version that it must still have; undefined for any. */
  readonly version: number | undefined;
  /** Whether it keeps the date that it then has. */
  readonly keepsDate: boolean;
}

/** An existing post, or one that was deleted, whose id is in the file. */
export interface AffectedPost {
  readonly row: number;
  readonly id: number;
  /** Its present title; that of the file when it was deleted. */
  readonly title: string;
  /** Since the export, as far as the file says what was exported. */
  readonly state: 'unchanged' | 'changed' | 'deleted';
  /** The time of its last change or of its deletion. */
  readonly at: string;
  /** Whether the file has other content than the export had; undefined when it does not say. */
  readonly isEdited: boolean | undefined;
  /** How the row differs from it; none for a deleted post. */
  readonly changes: readonly FieldChange[];
}

/** Divides the lines of an import into posts to create and posts to replace. */
export class ImportPlan {
  readonly counts = { created: 0, replaced: 0, unchanged: 0, skipped: 0 };
  readonly faults: FileFault[] = [];
  /** The lines whose posts have another entity tag than the lines name. */
  readonly outdated: LineFault[] = [];
  /** The lines with a unique value that another post has, or an earlier line. */
  readonly taken: FileFault[] = [];
  /** The kind of problem of the first of these lines. */
  takenKind: Problem['kind'] | undefined;
  /** Titles that show whether the encoding is the right one: those beyond ASCII come before others. */
  readonly titles: string[] = [];
  /** The first rows, as they would be stored. */
  readonly rows: SampleRow[] = [];
  readonly replacements: AffectedPost[] = [];
  /** The posts with later changes, whether they are skipped or not. */
  readonly conflicts: AffectedPost[] = [];
  readonly #ids = new Set<number>();
  /** The lines whose posts are not read yet. */
  readonly #lines: PostLine[] = [];
  /** The next batch, as JSON. */
  #batch: string[] = [];
  #batchLength = 0;

  /**
   * @param file where the posts wait until all of them are validated; undefined for a check, which stores nothing
   * @param client who sends the file
   */
  constructor(
    private readonly posts: PostWritesRepository,
    private readonly reader: Queryable,
    private readonly takenValues: TakenValueSearch,
    private readonly rules: Pick<ImportSource, 'replaces' | 'merges' | 'overrides' | 'mediaType'>,
    private readonly file: TemporaryFile | undefined,
    private readonly client: Client,
  ) {}

  /** After a fault, the other lines are only checked for more faults. */
  async add(line: PostLine): Promise<void> {
    this.#sample(line);
    this.#lines.push(line);
    const { length } = this.#lines;
    if (!this.#looksUp || length === MAX_LINES || line.post.body.length > LARGE_BODY_BYTES)
      await this.#planLines();
  }

  get #takesIds(): boolean {
    return this.rules.replaces === true || this.rules.merges === true;
  }

  /** Whether something of the lines is looked up, for many of them by one query. */
  get #looksUp(): boolean {
    return this.#takesIds || !this.takenValues.isIdle;
  }

  async #planLines(): Promise<void> {
    const lines = this.#lines.splice(0);
    // A cell of CSV is a text; in the NDJSON of the API nothing is converted.
    const isExact = this.rules.mediaType === NDJSON_TYPE;
    const ids = lines.map(({ id }) => (this.#takesIds ? idOf(id, isExact) : 0));
    const found = await this.posts.findSmall(ids.filter((id) => id > 0));
    await this.takenValues.look(lines.map(({ post }) => post));
    for (const [index, line] of lines.entries()) {
      try {
        const id = ids[index]!;
        if (this.rules.merges) await this.#merge(id, line, found.get(id));
        else if (id === 0) await this.#create(line);
        else await this.#replace(id, line, found.get(id));
      } catch (error) {
        this.faults.push(...faultsOfLine(error, line.place, { title: line.post.title }));
      }
    }
  }

  #sample({ place: { row }, post, hasDate }: PostLine): void {
    const { titles, rows } = this;
    const { title } = post;
    if (rows.length < SAMPLE_ROWS) rows.push(sampleOf(row, post, hasDate));
    if (titles.length < SAMPLE_TITLES) titles.push(title);
    else if (!isAscii(title)) {
      const place = titles.findIndex(isAscii);
      if (place >= 0) titles[place] = title;
    }
  }

  async #create(line: PostLine): Promise<void> {
    this.counts.created += 1;
    await this.#store(line.post, line.place);
  }

  /** Stores a line by the rules of the API. @param id 0 without one */
  async #merge(id: number, line: PostLine, found: Post | undefined): Promise<void> {
    const { post, place, hasDate, etag } = line;
    const tag = etag === undefined ? undefined : toEntityTag(etag);
    if (id === 0 && tag !== undefined)
      throw faulty('An etag belongs to the post that an id names.', 'required');
    if (id === 0) return this.#create(line);
    this.#addId(id);
    const current = found ?? (await this.posts.find(id, this.client));
    if (!current) throw new InvalidRequest([unknownId(id)]);
    if (tag !== undefined && !isEntityTagOf(current, tag)) {
      if (this.outdated.length < MAX_FAULTS) this.outdated.push(outdatedLine(id, place.number));
      return;
    }
    const after = hasDate ? post : { ...post, pubDate: current.pubDate };
    if (hasSameContent(after, current)) {
      this.counts.unchanged += 1;
      return;
    }
    this.counts.replaced += 1;
    const version = tag === undefined ? undefined : current.version;
    await this.#store(after, place, { id, version, keepsDate: !hasDate });
  }

  /** @throws InvalidRequest */
  #addId(id: number): void {
    if (Number.isNaN(id)) throw faulty('The id must be an integer from 1, or empty.', 'not_an_integer');
    if (this.#ids.has(id)) throw faulty('Another row has the same id.', 'repeated');
    if (this.#ids.size === MAX_IDS) throw faulty(`At most ${MAX_IDS} rows can have an id.`, 'too_many');
    this.#ids.add(id);
  }

  /** Stores a line of a file as people make them. */
  async #replace(id: number, line: PostLine, found: Post | undefined): Promise<void> {
    this.#addId(id);
    // A large one is read alone, and forgotten before the next one.
    const current = found ?? (await this.posts.find(id, this.client));
    return current ? this.#replaceStored(current, line) : this.#createAgain(id, line);
  }

  /** A post that was changed since its export is a conflict. */
  async #replaceStored(current: Post, line: PostLine): Promise<void> {
    const { id } = current;
    const { post, place, hasDate } = line;
    const after = hasDate ? post : { ...post, pubDate: current.pubDate };
    if (hasSameContent(after, current)) {
      this.counts.unchanged += 1;
      return;
    }
    const isEdited = await this.#differsFromExport(id, after, line);
    const isChanged = (await this.#differsFromExport(id, current, line)) === true;
    const affected = (): AffectedPost => ({
      row: place.row,
      id,
      title: current.title,
      state: isChanged ? 'changed' : 'unchanged',
      at: formatTime(current.modified),
      isEdited,
      changes: changesOf(PostDto.from(current), PostDto.from({ id, ...after })),
    });
    if (isChanged && this.#isSkipped(affected)) return;
    if (!isChanged && this.replacements.length < MAX_LISTED) this.replacements.push(affected());
    this.counts.replaced += 1;
    if (this.counts.replaced === MAX_REPLACED + 1)
      throw faulty(`At most ${MAX_REPLACED} posts can be replaced at a time.`, 'too_many');
    await this.#store(after, place, { id, version: current.version, keepsDate: false });
  }

  /** A post that was deleted since its export is a conflict. An id that no post has had is ignored. */
  async #createAgain(id: number, line: PostLine): Promise<void> {
    const { post, place } = line;
    const deletion = await this.reader.manager.findOneBy(PostDeletion, { id });
    if (!deletion) return this.#create(line);
    const deleted: AffectedPost = {
      row: place.row,
      id,
      title: post.title,
      state: 'deleted',
      at: formatTime(deletion.deletedAt),
      isEdited: await this.#differsFromExport(id, post, line),
      changes: [],
    };
    if (!this.#isSkipped(() => deleted)) await this.#create(line);
  }

  /** Whether the export had other content; undefined when the line does not say what was exported. */
  async #differsFromExport(
    id: number,
    content: NewPost,
    { fingerprint }: PostLine,
  ): Promise<boolean | undefined> {
    if (fingerprint === undefined) return undefined;
    return fingerprint !== (await fingerprintInTurns(PostDto.from({ id, ...content }), this.client.name));
  }

  #isSkipped(affected: () => AffectedPost): boolean {
    if (this.conflicts.length < MAX_LISTED) this.conflicts.push(affected());
    if (this.rules.overrides) return false;
    this.counts.skipped += 1;
    return true;
  }

  async #store(post: NewPost, place: Place, replaces?: PlannedPost['replaces']): Promise<void> {
    if (this.#isTaken(post, place, replaces?.id)) return;
    if (!this.file || this.faults.length > 0 || this.outdated.length > 0 || this.taken.length > 0) return;
    const planned: PlannedPost = {
      post,
      prepared: await this.posts.prepare(post, this.client),
      line: place.number,
      replaces,
    };
    if (post.body.length > PIECE_LENGTH) return this.#storeLong(planned);
    const json = JSON.stringify(planned);
    if (this.#batch.length === MAX_ROWS || this.#batchLength + json.length > MAX_LENGTH)
      await this.#writeBatch();
    this.#batch.push(json);
    this.#batchLength += json.length;
  }

  /** Whether the post has a unique value that another one has. */
  #isTaken(post: NewPost, place: Place, id = 0): boolean {
    const problem = this.takenValues.problemOf(post, id, place.number);
    if (!problem) return false;
    this.takenKind ??= problem.kind;
    if (this.taken.length < MAX_FAULTS) this.taken.push(...takenFaults(problem, place, post.title));
    return true;
  }

  async #storeLong({ post, ...planned }: PlannedPost): Promise<void> {
    await this.#writeBatch();
    await this.#writeLine(JSON.stringify([{ ...planned, post: { ...post, body: '' } }]));
    for await (const piece of inPieces(post.body, JSON.stringify, this.client.name))
      await this.#writeLine(piece);
  }

  /** Call it after the last line. */
  async complete(): Promise<void> {
    await this.#planLines();
    await this.#writeBatch();
  }

  async #writeBatch(): Promise<void> {
    if (this.#batch.length > 0) await this.#writeLine(`[${this.#batch.join()}]`);
    this.#batch = [];
    this.#batchLength = 0;
  }

  async #writeLine(json: string): Promise<void> {
    await this.file?.append(Buffer.from(`${json}\n`));
  }
}

/**
 * Reads the batches of a file: each line is an array of posts, or a text that continues the body of the post before it.
 */
export async function* plannedBatches(
  file: TemporaryFile,
  client: string,
): AsyncGenerator<readonly PlannedPost[]> {
  let batch: readonly PlannedPost[] = [];
  let pieces: string[] = [];
  for await (const lines of linesOf(file.chunks())) {
    for (const { bytes } of lines) {
      const line = bytes.toString();
      const next = await inTurn(() => JSON.parse(line) as readonly PlannedPost[] | string, client);
      if (typeof next === 'string') {
        pieces.push(next);
        continue;
      }
      if (batch.length > 0) yield withLongBody(batch, pieces);
      batch = next;
      pieces = [];
    }
  }
  if (batch.length > 0) yield withLongBody(batch, pieces);
}

/** @param pieces of the body of the only post; none for other batches */
function withLongBody(batch: readonly PlannedPost[], pieces: readonly string[]): readonly PlannedPost[] {
  if (pieces.length === 0) return batch;
  return batch.map((planned) => ({ ...planned, post: { ...planned.post, body: pieces.join('') } }));
}

/**
 * @param isExact whether an id must be a number; otherwise, it may be the text of a cell
 * @returns 0 without an id; NaN for a value that is not an id
 */
function idOf(value: unknown, isExact: boolean): number {
  const isAbsent = value === undefined || (!isExact && (value === null || value === ''));
  if (isAbsent) return 0;
  const mayBeId = typeof value === 'number' || (!isExact && typeof value === 'string');
  if (!mayBeId || !/^[1-9]\d*$/.test(String(value))) return NaN;
  const id = Number(value);
  return id <= MAX_POST_ID ? id : NaN;
}

/** @throws InvalidRequest unless it is one entity tag */
function toEntityTag(etag: unknown): string {
  const isText = typeof etag === 'string';
  const tags = isText ? parseEntityTags(etag) : undefined;
  if (isText && Array.isArray(tags) && tags.length === 1) return etag;
  throw faulty('The etag must be one entity tag in double quotes, such as "7-1".', 'malformed', '/etag');
}

/** Whether `If-Match` with this tag would allow a change of the post. */
function isEntityTagOf(post: Post, tag: string): boolean {
  try {
    assertMet(new Preconditions({ 'if-match': tag }), post);
    return true;
  } catch (error) {
    if (error instanceof PreconditionFailed) return false;
    throw error;
  }
}

/** The fault of a line whose post has another entity tag than the line names. */
export function outdatedLine(id: number, line: number): LineFault {
  const detail = `The post ${id} has changed: its entity tag is another one.`;
  return { detail, code: 'outdated', line, pointer: '/etag' };
}

/** The fault of a line whose id is that of no post. */
export function unknownId(id: number): InputFault {
  return { detail: `There is no post with the id ${id}.`, code: 'unknown_id', pointer: '/id' };
}

function faulty(detail: string, code: InputFault['code'], pointer = '/id'): InvalidRequest {
  return new InvalidRequest([{ detail, code, pointer }]);
}
