import { Controller, Get, Query } from '@nestjs/common';
import { ApiProperty, ApiTags, PickType } from '@nestjs/swagger';
import type { InputCheck } from '../../http/request/input-reader.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import { TAGS } from '../../openapi/tags.js';
import { ListPostsQuery } from '../../posts/dto/list-posts.query.js';
import { ExcerptsService } from '../../posts/overview/excerpts.service.js';
import { MAX_POST_ID } from '../../posts/post-id.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { AdminOperation, aJson } from '../admin-operation.js';

@ClosedSchema('Excerpt', 'The beginning of a post.')
class ExcerptDto {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_POST_ID, example: 7 })
  id!: number;

  @ApiProperty({
    type: String,
    description: 'The first 200 characters of the body, in one line: white space in a row is one space.',
    example: 'Fog in the morning, sun by noon, and a heron that would not move.',
  })
  excerpt!: string;
}

/** The query that selects the posts, like a list's `id`. */
class ExcerptsQuery extends PickType(ListPostsQuery, ['id'] as const) {}

/** Requires `id`: excerpts of all posts are never needed. */
const checkNamesPosts: InputCheck<{ query: ExcerptsQuery }> = ({ query }, _context, found) =>
  query.id === undefined && found.length === 0
    ? [{ detail: 'The ids of the posts are required.', code: 'required', parameter: 'id' }]
    : [];

@ApiTags(TAGS.overview)
@Controller('admin/api/excerpts')
export class ExcerptsController {
  constructor(private readonly excerpts: ExcerptsService) {}

  @Get()
  @AdminOperation({
    name: 'admin-excerpt-list',
    access: 'viewer',
    summary: 'Read the beginnings of posts',
    check: checkNamesPosts,
    responses: {
      200: aJson(
        'In the order of the ids; ids without a post are skipped.',
        [ExcerptDto],
        [{ id: 7, excerpt: 'Fog in the morning, sun by noon, and a heron that would not move.' }],
      ),
    },
    problems: {
      missingIds: new InvalidRequest([
        { detail: 'The ids of the posts are required.', code: 'required', parameter: 'id' },
      ]),
    },
  })
  listExcerpts(@Query() { id }: ExcerptsQuery): Promise<readonly ExcerptDto[]> {
    return this.excerpts.find(id!.map(Number));
  }
}
