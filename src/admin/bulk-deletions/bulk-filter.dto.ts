import { PickType } from '@nestjs/swagger';
import { validateSync } from 'class-validator';
import { validator } from '../../http/request/validation.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import { ListPostsQuery } from '../../posts/dto/list-posts.query.js';

const MEMBERS = ['search', 'title', 'pub_date_after', 'pub_date_before'] as const;

const RULE = `The value must be an object with some of the members ${MEMBERS.join(', ')}, each a text that is not empty.`;

/** The filters of a list, as members of an object. */
@ClosedSchema(
  'BulkFilter',
  'Which posts: the filters of a list, with the same meaning. Without any, all posts.',
)
export class BulkFilterDto extends PickType(ListPostsQuery, MEMBERS) {}

/** Such an object. */
export function IsBulkFilter(): PropertyDecorator {
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
