import { applyDecorators, type Type } from '@nestjs/common';
import { PickType } from '@nestjs/swagger';
import { validateSync } from 'class-validator';
import type { InputCheck } from '../http/request/operation.decorator.js';
import { IsIntegerBetween, IsListOf, IsStorable, Optional, validator } from '../http/request/validation.js';
import { ListPostsQuery } from '../posts/dto/list-posts.query.js';
import { MAX_POST_ID } from '../posts/post-id.js';

/** A selection of 20,000 ids takes less than a mebibyte. */
export const MAX_SELECTION_BYTES = 1_048_576;
const MAX_POST_IDS = 20_000;

const POST_FILTERS = ['search', 'title', 'pub_date_after', 'pub_date_before'] as const;

/** The filters of a list of posts, as members of a JSON object. */
export class PostFilterDto extends PickType(ListPostsQuery, POST_FILTERS) {}

/** The filter of the list of deleted posts. */
export class DeletedPostsFilterDto {
  /**
   * Posts that contain all of these words in the title. The last word also matches as a prefix. Case and diacritics
   * do not matter.
   */
  @Optional()
  @IsStorable()
  search?: string;
}

/** An optional `filter` with these filters. */
export function IsPostFilter(): PropertyDecorator {
  return applyDecorators(Optional(), IsFilterOf(PostFilterDto, POST_FILTERS));
}

/** Optional `ids` of posts. */
export function ArePostIds(): PropertyDecorator {
  const detail = `The value must be an array of 1 to ${MAX_POST_IDS} different integers from 1 to ${MAX_POST_ID}.`;
  const areIds = IsListOf(
    (options) => IsIntegerBetween(1, MAX_POST_ID, detail, options),
    detail,
    MAX_POST_IDS,
  );
  return applyDecorators(Optional(), areIds);
}

/** The posts of a bulk change: `ids`, or a `filter` and its `count`. */
class SelectionDto {
  /** Posts that do not exist (or are not deleted) are skipped. */
  @ArePostIds()
  ids?: number[];

  /** The number of posts that match the filter. If the number has changed, nothing is changed. */
  @Optional()
  @IsIntegerBetween(0, Number.MAX_SAFE_INTEGER, 'The value must be a whole number, 0 or more.')
  count?: number;
}

export class PostSelectionDto extends SelectionDto {
  @IsPostFilter()
  filter?: PostFilterDto;
}

export class DeletedPostSelectionDto extends SelectionDto {
  /** An entry of the change log: the posts that it deleted. */
  @Optional()
  @IsIntegerBetween(1, Number.MAX_SAFE_INTEGER)
  entry?: number;

  @Optional()
  @IsFilterOf(DeletedPostsFilterDto, ['search'])
  filter?: DeletedPostsFilterDto;
}

/** Validates an object with some members of a query class, each a text that is not empty. */
function IsFilterOf(filter: Type<object>, members: readonly string[]): PropertyDecorator {
  const rule = `The value must be an object with some of the members ${members.join(', ')}, each a text that is not empty.`;
  const isKnown = ([name, text]: [string, unknown]): boolean =>
    members.includes(name) && typeof text === 'string' && text !== '';
  const faultOf = (value: unknown): string | undefined => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return rule;
    if (!Object.entries(value).every(isKnown)) return rule;
    const [fault] = validateSync(Object.assign(new filter(), value));
    return fault && `${fault.property}: ${Object.values(fault.constraints ?? {})[0]}`;
  };
  return validator(
    'malformed',
    (value) => faultOf(value) === undefined,
    (value) => faultOf(value) ?? '',
  );
}

type Way = 'ids' | 'entry' | 'filter';

/** Accepts exactly one of these members; a filter needs the count that the user has confirmed. */
export function checkSelection(
  ...ways: readonly Way[]
): InputCheck<{ body: { readonly [way in Way | 'count']?: unknown } }> {
  return ({ body }, _context, found) => {
    if (found.length > 0) return [];
    const given = ways.filter((way) => body[way] !== undefined);
    if (given.length !== 1) {
      const detail = `Exactly one of ${ways.join(', ')} must say which posts are meant.`;
      return [{ detail, code: given.length === 0 ? 'required' : 'mutually_exclusive', pointer: '' }];
    }
    if ((given[0] === 'filter') !== (body.count !== undefined)) {
      const code = body.count === undefined ? 'required' : 'mutually_exclusive';
      return [{ detail: 'A filter requires count, and count requires a filter.', code, pointer: '/count' }];
    }
    return [];
  };
}
