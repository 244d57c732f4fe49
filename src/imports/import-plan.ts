import { hasSameContent, type NewPost } from '../posts/post.entity.js';
import { MAX_POST_ID } from '../posts/post-id.js';
import type { PostsRepository } from '../posts/posts.repository.js';
import type { InputFault } from '../problem-details/problem.js';
import { InvalidRequest } from '../problem-details/problems.js';
import type { SearchIndexRepository } from '../search/search-index.repository.js';
import { stagedLine } from './import-batches.js';
import { faultsOf, type LineFault, type PostLine } from './import-lines.js';
import type { TemporaryFile } from './temporary-file.js';

/** A post to be replaced, if it still has this version. */
export type Replacement = readonly [id: number, version: number, post: NewPost];

/** They are replaced in one transaction, for which other writes wait: some 100 µs each. */
const MAX_REPLACED = 10_000;
const SAMPLE_TITLES = 5;

/** Where the posts of an import wait until all of them are validated. */
export interface ImportFiles {
  /** The posts to create; see {@link stagedLine}. */
  readonly created: TemporaryFile;
  /** Each {@link Replacement} as JSON. */
  readonly replaced: TemporaryFile;
}

/** Divides the lines of an import into posts to create and posts to replace. */
export class ImportPlan {
  readonly counts = { created: 0, replaced: 0, unchanged: 0 };
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

  /** After a fault, the other lines are only checked for more faults. */
  async add({ line, post, id, hasDate }: PostLine): Promise<void> {
    if (this.titles.length < SAMPLE_TITLES) this.titles.push(post.title);
    try {
      await this.#divide(post, this.replaces ? idOf(id) : undefined, hasDate);
    } catch (error) {
      this.faults.push(...faultsOf(error, line));
    }
  }

  async #divide(post: NewPost, id: number | undefined, hasDate: boolean): Promise<void> {
    const { counts } = this;
    const files = this.faults.length > 0 ? undefined : this.files;
    const current = id === undefined ? undefined : await this.posts.findById(id);
    if (!current) {
      const place = counts.created++;
      await files?.created.add(stagedLine(place, post, await this.search.wordsOf(post)));
      return;
    }
    if (this.#replacedIds.has(current.id)) throw faulty('Another row has the same id.', 'repeated');
    this.#replacedIds.add(current.id);
    const after = hasDate ? post : { ...post, pubDate: current.pubDate };
    if (hasSameContent(after, current)) {
      counts.unchanged += 1;
      return;
    }
    counts.replaced += 1;
    if (counts.replaced === MAX_REPLACED + 1)
      throw faulty(`At most ${MAX_REPLACED} posts can be replaced at a time.`, 'too_many');
    await files?.replaced.add(JSON.stringify([current.id, current.version, after] satisfies Replacement));
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
