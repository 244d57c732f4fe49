import { ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { validateSync } from 'class-validator';
import type { InputCheck } from '../../http/request/input-reader.js';
import { IsIntegerBetween, Optional, validator } from '../../http/request/validation.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import { ListPostsQuery } from '../../posts/dto/list-posts.query.js';
import { ArePostIds, POST_IDS_SCHEMA } from '../post-ids.js';

const MEMBERS = ['search', 'title', 'pub_date_after', 'pub_date_before'] as const;

const RULE = `The value must be an object with some of the members ${MEMBERS.join(', ')}, each a text that is not empty.`;

/** The filters of a list, as members of a JSON object. */
@ClosedSchema('BulkFilter', 'The filters of a list, with the same meaning. Without a filter, all posts.')
class BulkFilterDto extends PickType(ListPostsQuery, MEMBERS) {}

/** Validates the filter of a bulk deletion. */
function IsBulkFilter(): PropertyDecorator {
  return validator(
    'malformed',
    (value) => faultOf(value) === undefined,
    (value) => faultOf(value) ?? '',
  );
}

function faultOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return RULE;
  if (!Object.entries(value).every(isKnown)) return RULE;
  const [fault] = validateSync(Object.assign(new BulkFilterDto(), value));
  return fault && `${fault.property}: ${Object.values(fault.constraints ?? {})[0]}`;
}

function isKnown([name, text]: [string, unknown]): boolean {
  return (MEMBERS as readonly string[]).includes(name) && typeof text === 'string' && text !== '';
}

@ClosedSchema('NewBulkDeletion', 'The posts to delete: `ids`, or `filter` and `count`.')
export class CreateBulkDeletionDto {
  @Optional()
  @ArePostIds()
  @ApiPropertyOptional({
    ...POST_IDS_SCHEMA,
    description: 'The ids of the posts. Posts that no longer exist are skipped.',
  })
  ids?: number[];

  @Optional()
  @IsBulkFilter()
  @ApiPropertyOptional({ type: BulkFilterDto })
  filter?: BulkFilterDto;

  @Optional()
  @IsIntegerBetween(0, Number.MAX_SAFE_INTEGER, 'The value must be a whole number, 0 or more.')
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description: 'The number of posts that match the filter. If the number has changed, no post is deleted.',
    example: 128,
  })
  count?: number;
}

/** Accepts either a list of ids, or a filter with the count that the user confirmed. */
export const checkSelection: InputCheck<{ body: CreateBulkDeletionDto }> = ({ body }, _context, found) => {
  if (found.length > 0) return [];
  if ((body.ids === undefined) === (body.filter === undefined)) {
    const code = body.ids === undefined ? 'required' : 'mutually_exclusive';
    return [{ detail: 'Either ids or filter must say which posts are meant.', code, pointer: '' }];
  }
  if ((body.filter === undefined) !== (body.count === undefined)) {
    const code = body.count === undefined ? 'required' : 'mutually_exclusive';
    return [{ detail: 'It belongs to a filter, which needs it.', code, pointer: '/count' }];
  }
  return [];
};
