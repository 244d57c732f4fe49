import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { hasSameContent, type NewPost } from '../posts/post.entity.js';
import { MAX_POST_ID } from '../posts/post-id.js';
import type { PostsRepository } from '../posts/posts.repository.js';
import type { InputFault } from '../problem-details/problem.js';
import { InvalidRequest } from '../problem-details/problems.js';
import type { SearchIndexRepository } from '../search/search-index.repository.js';
import type { Settings } from '../settings/settings.js';
import { stagedLine } from './import-batches.js';
import { faultsOf, type LineFault, type PostLine } from './import-lines.js';
import { TemporaryFile } from './temporary-file.js';

/** What an import does, or would do. */
export interface ImportCounts {
  readonly created: number;
  readonly replaced: number;
  /** Posts that have the content of their row already. */
  readonly unchanged: number;
}

/** A post to be replaced, if it still has this version. */
export type Replacement = readonly [id: number, version: number, post: NewPost];

/** They are replaced in one transaction, for which other writes wait: some 100 µs each. */
const MAX_REPLACED = 10_000;
const SAMPLE_TITLES = 5;

/** Where the posts of an import wait until all of them are validated. */
export class ImportFiles {
  /** The posts to create; see {@link stagedLine}. */
  readonly created: TemporaryFile;
  /** Each {@link Replacement} as JSON. */
  readonly replaced: TemporaryFile;

  constructor(database: Settings['database']) {
    // The folder of the database has the space for an import; a database server's folder is elsewhere.
    const folder = database.kind === 'sqlite' ? dirname(database.path) : tmpdir();
    this.created = new TemporaryFile(folder);
    this.replaced = new TemporaryFile(folder);
  }

  async close(): Promise<void> {
    await Promise.all([this.created.close(), this.replaced.close()]);
  }
}

/** Divides the lines of an import into posts to create and posts to replace. */
export class ImportPlan {
  created = 0;
  replaced = 0;
  unchanged = 0;
  readonly faults: LineFault[] = [];
  /** The first titles, which show whether the encoding is the right one. */
  readonly titles: string[] = [];
  readonly #replacedIds = new Set<number>();

  /**
   * @param replaces whether lines with the id of a post replace it; otherwise ids are ignored
   * @param files undefined for a check, which stores nothing
   */
  constructor(
    private readonly posts: PostsRepository,
    private readonly search: SearchIndexRepository,
    private readonly replaces: boolean,
    private readonly files: ImportFiles | undefined,
  ) {}

  get counts(): ImportCounts {
    const { created, replaced, unchanged } = this;
    return { created, replaced, unchanged };
  }

  /** After a fault, the other lines are only checked for more faults. */
  async add(line: PostLine): Promise<void> {
    if (this.titles.length < SAMPLE_TITLES) this.titles.push(line.post.title);
    try {
      await this.#divide(line);
    } catch (error) {
      this.faults.push(...faultsOf(error, line.line));
    }
  }

  async #divide({ id: sentId, post, hasDate }: PostLine): Promise<void> {
    const id = this.replaces ? idOf(sentId) : undefined;
    const current = id === undefined ? undefined : await this.posts.findById(id);
    if (!current) return this.#create(post);
    const { id: currentId, version, pubDate } = current;
    if (this.#replacedIds.has(currentId)) throw faulty('Another row has the same id.', 'repeated');
    this.#replacedIds.add(currentId);
    const after = hasDate ? post : { ...post, pubDate };
    if (hasSameContent(after, current)) {
      this.unchanged += 1;
      return undefined;
    }
    this.replaced += 1;
    if (this.replaced === MAX_REPLACED + 1)
      throw faulty(`At most ${MAX_REPLACED} posts can be replaced at a time.`, 'too_many');
    if (this.faults.length === 0)
      await this.files?.replaced.add(JSON.stringify([currentId, version, after] satisfies Replacement));
    return undefined;
  }

  async #create(post: NewPost): Promise<void> {
    const place = this.created++;
    if (!this.files || this.faults.length > 0) return;
    const words = await this.search.wordsOf(post);
    await this.files.created.add(stagedLine(place, post, words));
  }
}

/** @returns undefined without an id @throws InvalidRequest */
function idOf(id: unknown): number | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  const isNumber = typeof id === 'number' || typeof id === 'string';
  const number = isNumber && /^[1-9]\d*$/.test(String(id)) ? Number(id) : NaN;
  if (number <= MAX_POST_ID) return number;
  throw faulty('The id must be an integer from 1, or empty.', 'not_an_integer');
}

function faulty(detail: string, code: InputFault['code']): InvalidRequest {
  return new InvalidRequest([{ detail, code, pointer: '/id' }]);
}
