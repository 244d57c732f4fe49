import { PickType } from '@nestjs/swagger';
import type { InputCheck } from '../../http/request/input-reader.js';
import { ListPostsQuery } from '../../posts/dto/list-posts.query.js';

/** The query that names the posts, as a list's `id` does. */
export class ExcerptsQuery extends PickType(ListPostsQuery, ['id'] as const) {}

/** Nobody wants the excerpts of all posts. */
export const checkNamesPosts: InputCheck<{ query: ExcerptsQuery }> = ({ query }, _context, found) =>
  query.id === undefined && found.length === 0
    ? [{ detail: 'The ids of the posts are required.', code: 'required', parameter: 'id' }]
    : [];
