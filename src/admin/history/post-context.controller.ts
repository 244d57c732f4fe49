import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiProperty, ApiTags, OmitType } from '@nestjs/swagger';
import { HistoryService } from '../../history/history.service.js';
import { StreamReader } from '../../http/request/handler-arguments.js';
import type { Reader } from '../../http/response/response-reader.js';
import { ClosedSchema, TAGS } from '../../openapi/document-types.js';
import { UNKNOWN_PARAMETER } from '../../openapi/problem-response.js';
import { ListPostsQuery } from '../../posts/dto/list-posts.query.js';
import { toFilter } from '../../posts/lists/list-request.js';
import { DEFAULT_ORDERING } from '../../posts/lists/post-ordering.js';
import { MAX_POST_ID, PostNotFound, PostPath } from '../../posts/post-id.js';
import { PostListsService } from '../../posts/lists/post-lists.service.js';
import { PostsService } from '../../posts/posts.service.js';
import { formatPubDate } from '../../posts/pub-date.js';
import { AdminOperation, aJson, DATE_TIME } from '../admin-operation.js';
import { AuthorDto } from './change.dto.js';

@ClosedSchema('Authorship', 'The time and the author of a change.')
export class AuthorshipDto {
  @ApiProperty({ ...DATE_TIME, example: '2026-11-21T09:12:44.310Z' })
  at!: string;

  @ApiProperty({ type: AuthorDto })
  author!: AuthorDto;
}

const NULLABLE_ID = { type: 'integer', minimum: 1, maximum: MAX_POST_ID, nullable: true } as const;

@ClosedSchema('PostContext', 'The authors of a post, and its neighbours in a list.')
export class PostContextDto {
  @ApiProperty({ type: AuthorshipDto, nullable: true, description: 'Null when it is no longer known.' })
  created!: AuthorshipDto | null;

  @ApiProperty({
    type: AuthorshipDto,
    nullable: true,
    description: 'The last change; null when there is none.',
  })
  changed!: AuthorshipDto | null;

  @ApiProperty({
    ...NULLABLE_ID,
    description: 'The post before it in the list; null for the first.',
    example: 12,
  })
  previous!: number | null;

  @ApiProperty({
    ...NULLABLE_ID,
    description: 'The post after it in the list; null for the last.',
    example: 5,
  })
  next!: number | null;
}

/** The query of the list from which the post was opened. */
class PostContextQuery extends OmitType(ListPostsQuery, ['limit', 'cursor', 'offset', 'fields']) {}

@ApiTags(TAGS.history)
@Controller('admin/api/posts/:id')
export class PostContextController {
  constructor(
    private readonly posts: PostsService,
    private readonly lists: PostListsService,
    private readonly history: HistoryService,
  ) {}

  @Get()
  @AdminOperation({
    name: 'admin-post-context',
    access: 'viewer',
    summary: 'Read the authors of a post and its neighbours in a list',
    responses: { 200: aJson('What is around the post.', PostContextDto) },
    problems: {
      unknownParameter: UNKNOWN_PARAMETER,
      postNotFound: new PostNotFound(7),
    },
  })
  async getPostContext(
    @Param() { id }: PostPath,
    @Query() query: PostContextQuery,
    @StreamReader() openReader: () => Reader,
  ): Promise<PostContextDto> {
    const post = await this.posts.findOrFail(id);
    const list = { filter: toFilter(query), ordering: query.ordering ?? DEFAULT_ORDERING };
    const [{ created, changed }, { previous = null, next = null }] = await Promise.all([
      this.history.authorsOf(id),
      this.lists.neighboursOf(post, list, openReader),
    ]);
    const toDto = (known: typeof created): AuthorshipDto | null =>
      known ? { at: formatPubDate(known.at), author: AuthorDto.from(known.author) } : null;
    return { created: toDto(created), changed: toDto(changed), previous, next };
  }
}
