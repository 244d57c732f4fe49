import { ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsIntegerBetween, IsListOf, Optional } from '../../input/index.js';
import { KeysetQuery } from '../../paging/index.js';
import {
  FILTERS,
  type FilterValues,
  FINDERS,
  type FinderValues,
  LIST_FIELDS,
  type ListField,
} from '../lists/list-fields.js';
import { DEFAULT_ORDERING, type Ordering, ORDERINGS } from '../lists/post-selection.js';

/** A larger offset makes the database scan more rows than a page is worth. A cursor costs the same at any depth. */
const MAX_OFFSET = 10_000;

const OFFSET_RULE = `The value must be an integer from 0 to ${MAX_OFFSET}; beyond that, follow the links, which use cursor.`;

const FIELDS_RULE = `The value must be some of ${LIST_FIELDS.join(', ')}, comma-separated or repeated, each once.`;

/** A class with the parameters of a table of list-fields.ts. */
function parametersOf<Values>(
  table: readonly { readonly name: string; readonly parameter: PropertyDecorator }[],
): new () => Values {
  const Parameters = class {} as new () => Values;
  for (const { name, parameter } of table) parameter(Parameters.prototype as object, name);
  return Parameters;
}

const FilterParameters = parametersOf<FilterValues>(FILTERS);
const FinderParameters = parametersOf<FinderValues>(FINDERS);

class OrderParameters {
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
}

class FieldsParameter {
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
export class ListPostsQuery extends IntersectionType(
  FilterParameters,
  KeysetQuery,
  OrderParameters,
  FinderParameters,
  FieldsParameter,
) {}
