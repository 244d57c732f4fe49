import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  CursorParameter,
  IsIntegerBetween,
  IsListOf,
  IsOneOf,
  IsStorable,
  LimitParameter,
  Optional,
} from '../../http/request/validation.js';
import { DEFAULT_ORDERING, type Ordering, ORDERINGS } from '../lists/post-ordering.js';
import { MAX_POST_ID, POST_ID_RULE, POST_ID_TEXT_RULES } from '../post-id.js';
import { IsPubDate } from '../pub-date.js';
import {
  IsTitle,
  POST_FIELDS,
  type PostField,
  PUB_DATE_PATTERN,
  TITLE_MAX_CODE_POINTS,
  TITLE_PATTERN,
} from './post.dto.js';

/** A larger offset makes the database scan more rows than a page is worth. A cursor costs the same at any depth. */
const MAX_OFFSET = 10_000;
const MAX_IDS = 1_000;

const OFFSET_RULE = `The value must be an integer from 0 to ${MAX_OFFSET}; beyond that, follow the links, which use cursor.`;
const IDS_RULE = `The value must be at most ${MAX_IDS} ids, comma-separated or repeated, each once; each ${POST_ID_RULE}.`;
const FIELDS_RULE = `The value must be some of ${POST_FIELDS.join(', ')}, comma-separated or repeated, each once.`;

/** The query parameters of a list, as the client sent them. */
export class ListPostsQuery {
  @LimitParameter('The number of posts on a page.')
  limit?: number;

  @CursorParameter('Opaque, from a `Link`; valid only with the same ordering and filters.')
  cursor?: string;

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
  @IsOneOf(ORDERINGS)
  @ApiPropertyOptional({
    enum: ORDERINGS,
    default: DEFAULT_ORDERING,
    description:
      'Ties are broken by id in the same direction; titles are compared by code point. `modified` is the time of the ' +
      'last change; it is not a field of posts.',
  })
  ordering?: Ordering;

  @Optional()
  @IsStorable()
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    description:
      'Posts that contain all of these words in title or body. The last word also matches as a prefix. ' +
      'Case and diacritics do not matter; punctuation separates words.',
  })
  search?: string;

  @Optional()
  @IsPubDate()
  @ApiPropertyOptional({
    type: String,
    pattern: PUB_DATE_PATTERN,
    description: 'Posts with this `pub_date` or a later one.',
  })
  pub_date_after?: string;

  @Optional()
  @IsPubDate()
  @ApiPropertyOptional({
    type: String,
    pattern: PUB_DATE_PATTERN,
    description: 'Posts with an earlier `pub_date`.',
  })
  pub_date_before?: string;

  @Optional()
  @IsPubDate()
  @ApiPropertyOptional({
    type: String,
    pattern: PUB_DATE_PATTERN,
    description: 'Posts that were created or changed at this time or later. Deleted posts do not appear.',
  })
  modified_after?: string;

  @Optional()
  @IsTitle()
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: TITLE_MAX_CODE_POINTS,
    pattern: TITLE_PATTERN,
    description: 'Posts with exactly this title.',
  })
  title?: string;

  @Optional()
  @IsListOf(POST_ID_TEXT_RULES, IDS_RULE, MAX_IDS)
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: MAX_POST_ID },
    minItems: 1,
    maxItems: MAX_IDS,
    uniqueItems: true,
    description: 'The posts with these ids, comma-separated; the parameter may also be repeated.',
  })
  id?: readonly string[];

  @Optional()
  @IsListOf([{ code: 'not_one_of', isValid: isPostField }], FIELDS_RULE)
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', enum: [...POST_FIELDS] },
    minItems: 1,
    uniqueItems: true,
    description:
      'Only these fields, comma-separated; the parameter may also be repeated. The others are left out of every post.',
  })
  fields?: readonly PostField[];
}

function isPostField(field: unknown): boolean {
  return POST_FIELDS.includes(field as PostField);
}
