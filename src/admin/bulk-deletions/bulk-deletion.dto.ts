import { ApiPropertyOptional } from '@nestjs/swagger';
import type { InputCheck } from '../../http/request/input-reader.js';
import { IsIntegerBetween, Optional } from '../../http/request/validation.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import { ArePostIds, POST_IDS_SCHEMA } from '../post-ids.js';
import { BulkFilterDto, IsBulkFilter } from './bulk-filter.dto.js';

@ClosedSchema('NewBulkDeletion', 'Which posts are to be deleted: `ids`, or `filter` and `count`.')
export class CreateBulkDeletionDto {
  @Optional()
  @ArePostIds()
  @ApiPropertyOptional({
    ...POST_IDS_SCHEMA,
    description: 'The posts. What is no post any more is passed over.',
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
    description: 'How many posts match the filter. If they are more or fewer by now, none is deleted.',
    example: 128,
  })
  count?: number;
}

/** It is either a list of posts, or a filter with the count that somebody has confirmed. */
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
