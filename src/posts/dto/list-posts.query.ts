import { ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsIntegerBetween, IsListOf, IsStorable, MaxCodePoints, Optional } from '../../input/index.js';
import { KeysetQuery } from '../../paging/index.js';
import { TEXT_PATTERN } from './post-fields.js';
import { FILTERS, type FilterValues, LIST_FIELDS, type ListField } from '../lists/list-fields.js';
import { DEFAULT_ORDERING, type Ordering, ORDERINGS } from '../lists/post-selection.js';

/** A larger offset makes the database scan more rows than a page is worth. A cursor costs the same at any depth. */
const MAX_OFFSET = 10_000;

const OFFSET_RULE = `The value must be an integer from 0 to ${MAX_OFFSET}; beyond that, follow the links, which use cursor.`;
/** The longest search, in Unicode code points: every link of a page repeats it. */
const MAX_SEARCH_CODE_POINTS = 200;
const SEARCH_RULE = `The text must have at most ${MAX_SEARCH_CODE_POINTS} characters (Unicode code points).`;

const FIELDS_RULE = `The value must be some of ${LIST_FIELDS.join(', ')}, comma-separated or repeated, each once.`;

/** The parameters that the table of fields has. */
const FilterParameters = class {} as new () => FilterValues;
for (const { name, parameter } of FILTERS) parameter(FilterParameters.prototype as object, name);

/** What lists of posts have besides the parameters of every list, and the filters. */
class PostListParameters {
  @Optional()
  @IsIntegerBetween(0, MAX_OFFSET, OFFSET_RULE)
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_OFFSET,
    description: 'How many posts to skip; not together with `cursor`.',
  })
  offset?: number;

  @Optional()
  @IsIn(ORDERINGS)
  @ApiPropertyOptional({
    enum: ORDERINGS,
    default: DEFAULT_ORDERING,
    description:
      'Ties are broken by id in the same direction; titles are compared by code point. `modified` is the time of the ' +
      'last change; it is not a field of posts.',
  })
  ordering?: Ordering;

  @Optional()
  @MaxCodePoints(MAX_SEARCH_CODE_POINTS, SEARCH_RULE)
  @IsStorable()
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: MAX_SEARCH_CODE_POINTS,
    pattern: TEXT_PATTERN,
    description:
      'Posts that contain all of these words in title or body. The last word also matches as a prefix. ' +
      'Case and diacritics do not matter; punctuation separates words.',
  })
  search?: string;

  @Optional()
  @IsListOf((options) => IsIn(LIST_FIELDS, options), FIELDS_RULE)
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', enum: [...LIST_FIELDS] },
    minItems: 1,
    uniqueItems: true,
    description:
      'Only these fields, comma-separated; the parameter may also be repeated. The others are left out of every post. ' +
      '`modified`, the time of the last change, and `etag`, for `If-Match`, are shown only where they are named.',
  })
  fields?: readonly ListField[];
}

/** The query parameters of a list, as the client sent them. Generated clients may have them in this order. */
export class ListPostsQuery extends IntersectionType(FilterParameters, KeysetQuery, PostListParameters) {}
