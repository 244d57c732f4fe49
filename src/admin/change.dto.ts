import { IsIn } from 'class-validator';
import type { ChangeFilter } from '../history/changes.service.js';
import {
  type Authorship,
  CHANGE_ACTIONS,
  type ChangeAction,
  type ChangedPost,
  type LoggedChange,
  POST_ACTIONS,
} from '../history/post-revision.entity.js';
import type { Author, User } from '../users/user.js';
import { KeysetQuery } from '../paging/index.js';
import { IsIntegerBetween, IsStorable, Optional } from '../input/index.js';
import { MAX_POST_ID, POST_ID_RULE } from '../posts/post-id.js';
import { formatPubDate, IsPubDate, parsePubDate } from '../posts/pub-date.js';

const AUTHOR_KINDS = ['api', 'token', 'account', 'command'] as const satisfies readonly Author['kind'][];

export type AuthorDto = ReturnType<typeof toAuthorDto>;

/** The author of a change, with the name of the token, the account or the command, where there is one. */
export function toAuthorDto({ authorKind, authorName }: Omit<Authorship, 'at'>) {
  return { kind: authorKind, name: authorName };
}

export type ChangeDto = ReturnType<typeof toChangeDto>;

/**
 * An entry of the change log.
 *
 * @param showsAddress whether the reader may see where requests came from
 */
export function toChangeDto(change: LoggedChange, showsAddress: boolean) {
  const { id, action, at, address, title, subject, detail, count } = change;
  const kind = kindOf(change);
  return {
    id,
    action,
    at: formatPubDate(at),
    author: toAuthorDto(change),
    /** By TRUST_PROXY; for IPv6, the /64. */
    address: showsAddress ? address : null,
    ...postsOf(change, kind),
    /** After the change; null for several posts, and when it is no longer kept. */
    title,
    /** The account or the token that was changed. */
    subject,
    /** Such as the new role of an account. */
    detail,
    /** The number of events: failed log-ins within an hour are one entry. */
    count: kind === 'many-posts' ? 1 : (count ?? 1),
  };
}

/** What an entry is about. Posts that were created together, such as by an import, have a range of ids. */
type ChangeKind = 'post' | 'range' | 'many-posts' | 'no-post';

function kindOf({ postId, lastPostId, action }: LoggedChange): ChangeKind {
  if (postId !== 0) return lastPostId === postId ? 'post' : 'range';
  return (POST_ACTIONS as readonly string[]).includes(action) ? 'many-posts' : 'no-post';
}

interface ChangedPosts {
  /** The changed post, or the first of a range. */
  readonly post_id?: number;
  readonly last_post_id?: number;
  /** The revision of the post that the change made. */
  readonly revision?: number;
  /** How many posts one action changed. */
  readonly post_count?: number;
}

function postsOf({ postId, lastPostId, number, count }: LoggedChange, kind: ChangeKind): ChangedPosts {
  switch (kind) {
    case 'post':
      return { post_id: postId, revision: number };
    case 'range':
      return { post_id: postId, last_post_id: lastPostId };
    case 'many-posts':
      return { post_count: count ?? 0 };
    case 'no-post':
    default:
      return {};
  }
}

export type ChangedPostDto = ReturnType<typeof toChangedPostDto>;

export function toChangedPostDto({ postId, title }: ChangedPost) {
  return { post_id: postId, title };
}

/** The query of the change log, as the client sent it. */
export class ChangesQuery extends KeysetQuery {
  @Optional()
  @IsIn(CHANGE_ACTIONS)
  action?: ChangeAction;

  @Optional()
  @IsIn(AUTHOR_KINDS)
  author_kind?: Author['kind'];

  /** Only entries of authors whose names contain this; case does not matter. */
  @Optional()
  @IsStorable()
  author_name?: string;

  /** Only entries about posts, accounts and tokens whose titles or names contain this. */
  @Optional()
  @IsStorable()
  subject?: string;

  @Optional()
  @IsIntegerBetween(1, MAX_POST_ID, `The value ${POST_ID_RULE}.`)
  post_id?: number;

  /** Changes at this time or later. */
  @Optional()
  @IsPubDate()
  after?: string;

  /** Changes before this time. */
  @Optional()
  @IsPubDate()
  before?: string;
}

/** Failed log-ins, and where requests came from, are for administrators. */
export function isForAdministrators({ role }: User): boolean {
  return role === 'administrator';
}

export function toChangeFilter(query: ChangesQuery, user: User): ChangeFilter {
  return {
    hidden: isForAdministrators(user) ? undefined : 'login_failed',
    action: query.action,
    authorKind: query.author_kind,
    authorName: query.author_name,
    subject: query.subject,
    postId: query.post_id,
    from: query.after === undefined ? undefined : parsePubDate(query.after),
    before: query.before === undefined ? undefined : parsePubDate(query.before),
  };
}
