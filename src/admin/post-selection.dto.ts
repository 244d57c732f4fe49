import { PickType } from '@nestjs/swagger';
import { IsIntegerBetween, IsListOf, Optional } from '../input/index.js';
import { InvalidRequest } from '../problem-details/index.js';
import { ListPostsQuery } from '../posts/dto/list-posts.query.js';
import { FINDERS } from '../posts/lists/list-fields.js';
import { MAX_BULK_POSTS } from '../bulk-changes/bulk-changes.service.js';
import { MAX_POST_ID } from '../posts/post-id.js';

/** See MAX_SELECTION_BYTES. */
const MAX_POST_IDS = 20_000;
const IDS_RULE = `The value must be an array of 1 to ${MAX_POST_IDS} different integers from 1 to ${MAX_POST_ID}.`;

const FINDER_NAMES = FINDERS.map(({ name }) => name);

/** The filters of a list of posts, without which all posts are selected. */
export class PostFilterQuery extends PickType(ListPostsQuery, [
  ...FINDER_NAMES,
  'pub_date_after',
  'pub_date_before',
]) {}

/** The filters of the list of deleted posts, for their titles. */
export class DeletedPostsFilterQuery extends PickType(ListPostsQuery, FINDER_NAMES) {}

/** The posts of a bulk change: `ids`, or all that the filters in the query select, if their number is `count`. */
export class PostSelectionDto {
  /** Posts that do not exist (or are not deleted) are skipped. */
  @Optional()
  @IsListOf((options) => IsIntegerBetween(1, MAX_POST_ID, IDS_RULE, options), IDS_RULE, MAX_POST_IDS)
  ids?: number[];

  /** The number of posts that the user has confirmed. If it has changed, nothing is changed. */
  @Optional()
  @IsIntegerBetween(0, MAX_BULK_POSTS)
  count?: number;
}

export class DeletedPostSelectionDto extends PostSelectionDto {
  /** An entry of the change log: the posts that it deleted. */
  @Optional()
  @IsIntegerBetween(1, Number.MAX_SAFE_INTEGER)
  entry?: number;
}

/** @throws InvalidRequest unless exactly one of `ids`, `count` and `entry` says which posts are meant */
export function exactlyOne<Selection extends DeletedPostSelectionDto>(selection: Selection): Selection {
  const { ids, count, entry } = selection;
  const given = [ids, count, entry].filter((value) => value !== undefined).length;
  if (given === 1) return selection;
  const detail = 'Exactly one of ids, count and entry must say which posts are meant.';
  throw new InvalidRequest([{ detail, code: given === 0 ? 'required' : 'mutually_exclusive', pointer: '' }]);
}
