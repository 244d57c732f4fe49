import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, type SelectQueryBuilder } from 'typeorm';
import { Database, type Queryable, walked } from '../database/index.js';
import type { Author } from '../users/user.js';
import { type KeysetPage, type KeysetRequest, type KeysetWalk, readKeysetPage } from '../paging/index.js';
import type { Client } from '../limits/index.js';
import { PostSnapshots } from '../posts/lists/post-snapshots.js';
import { Post } from '../posts/post.entity.js';
import { NotFound } from '../problem-details/index.js';
import {
  type ChangeAction,
  type ChangedPost,
  type LoggedChange,
  PostRevision,
} from './post-revision.entity.js';
import { changesWithContent, contentAfter, isOfPost, pageById, RARE_ACTION } from './revision-queries.js';

export interface ChangeFilter {
  readonly action?: ChangeAction | undefined;
  readonly authorKind?: Author['kind'] | undefined;
  /** Part of the name; case does not matter. */
  readonly authorName?: string | undefined;
  /** Part of the title of the post, or of the name of the account or token; case does not matter. */
  readonly subject?: string | undefined;
  /** Leaves out entries with this action. */
  readonly hidden?: ChangeAction | undefined;
  readonly postId?: number | undefined;
  /** Inclusive lower bound of the time, in its stored form. */
  readonly from?: string | undefined;
  /** Exclusive upper bound of the time, in its stored form. */
  readonly before?: string | undefined;
}

/** The title of the post after the change. */
const TITLE = `CASE WHEN change.postId = change.lastPostId THEN ${contentAfter('title')} END`;

const CONDITIONS: Readonly<Record<Exclude<keyof ChangeFilter, 'postId'>, string>> = {
  action: 'change.action = :action',
  authorKind: 'change.authorKind = :authorKind',
  authorName: `LOWER(change.authorName) LIKE :authorName ESCAPE '\\'`,
  subject: `(LOWER(change.subject) LIKE :subject ESCAPE '\\' OR LOWER(${TITLE}) LIKE :subject ESCAPE '\\')`,
  hidden: 'change.action <> :hidden',
  from: 'change.at >= :from',
  before: 'change.at < :before',
};

/** The log of all changes, and of log-ins, accounts, tokens, imports and exports. The newest entries come first. */
@Injectable()
export class ChangesService {
  constructor(
    private readonly database: Database,
    private readonly snapshots: PostSnapshots,
  ) {}

  /**
   * Without an index for the filter, the database reads the log, so it does so in a snapshot: no other query waits.
   *
   * @param client the client of the response; the query stops when it disconnects
   */
  findPage(filter: ChangeFilter, request: KeysetRequest, client: Client): Promise<KeysetPage<LoggedChange>> {
    const read = ({ manager }: Queryable): Promise<KeysetPage<LoggedChange>> =>
      pageById(request, () => filtered(manager, filter));
    return filter.postId === undefined
      ? this.snapshots.run(client, read)
      : read(this.database.readerOf(client));
  }

  /** The posts of an entry, newest first. @throws ChangeNotFound */
  async findPosts(id: number, request: KeysetRequest, client: Client): Promise<KeysetPage<ChangedPost>> {
    const { manager } = this.database.readerOf(client);
    const entry = await manager.findOneBy(PostRevision, { id, partOf: IsNull() });
    if (!entry) throw new ChangeNotFound(id);
    const read = (walk: KeysetWalk): Promise<(ChangedPost & { changeId: number; id: number | null })[]> =>
      walked(postsOf(manager, entry), ['change.id', 'post.id'], walk).getRawMany();
    return readKeysetPage(request, read, ({ changeId, id: existing }) => [changeId, existing ?? 0]);
  }
}

/** Selects the posts of an entry. Of posts that were created together, those that still exist. */
function postsOf(manager: EntityManager, { id, number }: PostRevision): SelectQueryBuilder<PostRevision> {
  return manager
    .createQueryBuilder(PostRevision, 'change')
    .leftJoin(Post, 'post', 'post.id BETWEEN change.postId AND change.lastPostId')
    .select('change.id', 'changeId')
    .addSelect('post.id', 'id')
    .addSelect('COALESCE(post.id, change.postId)', 'postId')
    .addSelect('COALESCE(post.title, change.oldTitle)', 'title')
    .where(number > 0 ? 'change.id = :id' : 'change.partOf = :id', { id })
    .andWhere('(post.id IS NOT NULL OR change.number > 1)');
}

function filtered(
  manager: EntityManager,
  { postId, ...filter }: ChangeFilter,
): SelectQueryBuilder<PostRevision> {
  const { action, authorName, subject } = filter;
  const builder = changesWithContent(manager)
    .addSelect(TITLE, 'title')
    .setParameters({ ...filter, authorName: partOf(authorName), subject: partOf(subject) });
  for (const [name, condition] of Object.entries(CONDITIONS)) {
    if (filter[name as keyof typeof filter] !== undefined) builder.andWhere(condition);
  }
  // The history of one post shows its own changes. All other lists show the entries that cover several changes.
  if (postId === undefined) builder.andWhere('change.partOf IS NULL');
  else builder.andWhere(isOfPost(manager), { postId });
  if (action && action !== 'created' && action !== 'changed') builder.andWhere(RARE_ACTION);
  return builder;
}

/** A pattern of LIKE for text that contains this part. Only ASCII is in lower case, as by SQL's LOWER on both databases. */
function partOf(text: string | undefined): string | undefined {
  return text === undefined
    ? undefined
    : `%${text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** 404: the log has no such entry, or no longer keeps it. */
class ChangeNotFound extends NotFound {
  constructor(id: number) {
    super(`There is no entry ${id} in the change log.`);
  }
}
