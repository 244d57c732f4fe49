import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiProperty, ApiTags, OmitType } from '@nestjs/swagger';
import { HistoryService, RevisionNotFound } from '../../history/history.service.js';
import {
  type Revision,
  REVISION_ACTIONS,
  type RevisionAction,
  type WholeRevision,
} from '../../history/post-revision.entity.js';
import { ListPath, StreamReader } from '../../http/request/handler-arguments.js';
import { checkKeysetCursor, KeysetQuery, toKeysetRequest } from '../../http/request/keyset-page.js';
import { IdPath } from '../../http/request/validation.js';
import { Page } from '../../http/response/document-response.js';
import type { Reader } from '../../http/response/response-reader.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import { UNKNOWN_PARAMETER } from '../../openapi/problem-response.js';
import { ListPostsQuery } from '../../posts/dto/list-posts.query.js';
import { POST_FIELDS, PostDto } from '../../posts/dto/post.dto.js';
import { toFilter } from '../../posts/lists/list-request.js';
import { PostListsService } from '../../posts/lists/post-lists.service.js';
import { DEFAULT_ORDERING } from '../../posts/lists/post-ordering.js';
import { MAX_POST_ID, PostNotFound, PostPath } from '../../posts/post-id.js';
import { PostsService } from '../../posts/posts.service.js';
import { formatPubDate } from '../../posts/pub-date.js';
import { AdminOperation, aJson, aList, DATE_TIME, FAULTY_LIST_QUERY } from '../admin-operation.js';
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

@ApiTags('history')
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
    responses: { 200: aJson('The authors of the post, and its neighbours in the list.', PostContextDto) },
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

const FIELDS = POST_FIELDS.filter((field) => field !== 'id' && field !== 'body');

/** The state of a post after a change. */
@ClosedSchema('Revision', 'The content of a post after a change, or before its deletion.')
export class RevisionDto extends OmitType(PostDto, ['id', 'body']) {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_POST_ID,
    description: 'Ascends with each change of the post. It is the last part of the ETag that the post had.',
    example: 2,
  })
  number!: number;

  @ApiProperty({
    enum: REVISION_ACTIONS,
    description: '`found`: the post existed when its history began.',
    example: 'changed',
  })
  action!: RevisionAction;

  @ApiProperty(DATE_TIME)
  at!: string;

  @ApiProperty({ type: AuthorDto })
  author!: AuthorDto;

  static from({ number, action, at, author, ...post }: Revision): RevisionDto {
    const change = { number, action, at: formatPubDate(at), author: AuthorDto.from(author) };
    return Object.assign(change, PostDto.fromPart(post, FIELDS) as Omit<PostDto, 'id' | 'body'>);
  }
}

@ClosedSchema('WholeRevision', 'A revision with its body.')
export class WholeRevisionDto extends RevisionDto {
  @ApiProperty({ type: String, example: 'The first post.' })
  body!: string;

  static override from(revision: WholeRevision): WholeRevisionDto {
    return Object.assign(RevisionDto.from(revision), { body: revision.body });
  }
}

const ANN = { kind: 'account', name: 'ann' } as const;

const REVISION = {
  number: 2,
  action: 'changed',
  at: '2026-11-21T09:12:44.310Z',
  author: ANN,
  title: 'A walk along the river',
  pub_date: '2026-11-21T08:05:00.000Z',
};

const WHOLE_REVISION = { ...REVISION, body: 'Fog in the morning, sun by noon.' };

const FIRST_REVISION = {
  ...REVISION,
  number: 1,
  action: 'created',
  at: '2026-11-21T08:05:00.000Z',
  author: { kind: 'api', name: null },
};

class RevisionPath extends PostPath {
  @IdPath({ description: 'The number of the revision.', example: 2 })
  number!: number;
}

@ApiTags('history')
@Controller('admin/api/posts/:id/revisions')
export class RevisionsController {
  constructor(private readonly history: HistoryService) {}

  @Get()
  @AdminOperation({
    name: 'admin-revision-list',
    access: 'viewer',
    summary: 'List the revisions of a post',
    description:
      'Newest first, also for a deleted post, without revisions whose content is no longer kept (HISTORY_DAYS).',
    check: checkKeysetCursor,
    responses: {
      200: aList('The revisions, without their bodies.', RevisionDto, [REVISION, FIRST_REVISION]),
    },
    problems: {
      faultyQuery: FAULTY_LIST_QUERY,
      unknownPost: new RevisionNotFound(7),
    },
  })
  async listRevisions(
    @Param() { id }: PostPath,
    @Query() query: KeysetQuery,
    @ListPath() path: string,
  ): Promise<Page> {
    const page = await this.history.revisionsOf(id, toKeysetRequest(query, path));
    return Page.of(page, (revision) => RevisionDto.from(revision));
  }

  @Get(':number')
  @AdminOperation({
    name: 'admin-revision-detail',
    access: 'viewer',
    summary: 'Read a revision of a post',
    responses: { 200: aJson('The revision.', WholeRevisionDto, WHOLE_REVISION) },
    problems: {
      unknownParameter: UNKNOWN_PARAMETER,
      unknownRevision: new RevisionNotFound(7, 2),
    },
  })
  async getRevision(@Param() { id, number }: RevisionPath): Promise<WholeRevisionDto> {
    return WholeRevisionDto.from(await this.history.findRevisionOrFail(id, number));
  }
}
