import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Access,
  ApiResponse,
  CurrentListRequest,
  IfMatch,
  ListRequest,
  Operation,
  Page,
  type UrlOf,
  UrlOfRoute,
  WRITERS,
} from '../../../src/http/index.js';
import { KeysetQuery } from '../../../src/paging/index.js';
import type { Preconditions } from '../../../src/problem-details/index.js';
import { CommentDto, CommentInput, CommentPath, CommentsPath } from './comment.dto.js';
import type { Comment } from './comment.entity.js';
import { CommentsService, entityTagOf } from './comments.service.js';

const SAMPLE: CommentDto = { id: 3, slug: 'fog', text: 'Well said.' };
const AS_JSON = { 'application/json': { type: CommentDto, example: SAMPLE } };
const BODY = {
  description: 'The comment.',
  content: { 'application/json': { type: CommentInput, example: { text: 'Well said.' } } },
};
const PRECONDITIONS = ['If-Match', 'If-Unmodified-Since', 'If-None-Match'] as const;

@ApiTags('comments')
@Access({ anyone: 'Comments are open to read.' })
@Controller('posts/:post_id/example-comments')
export class CommentsController {
  constructor(private readonly comments: CommentsService) {}

  @Get()
  @Operation({
    name: 'example-comment-list',
    summary: 'List comments',
    representation: {
      description: 'A page of comments, the newest first.',
      headers: ['Link'],
      content: { 'application/json': { type: [CommentDto], example: [SAMPLE] } },
    },
    problems: [404],
    cacheable: true,
  })
  async listComments(
    @Param() { post_id }: CommentsPath,
    @Query() query: KeysetQuery,
    @CurrentListRequest() request: ListRequest,
  ): Promise<Page> {
    const page = await this.comments.findPage(post_id, request.page(query));
    return new Page(
      page,
      page.rows.map((comment) => CommentDto.from(comment)),
    );
  }

  @Post()
  @Access(WRITERS)
  @Operation({
    name: 'example-comment-list',
    summary: 'Store a comment',
    body: BODY,
    responses: {
      201: { description: 'The stored comment.', headers: ['Location', 'ETag'], content: AS_JSON },
    },
    problems: [404, 409],
  })
  async createComment(
    @Param() { post_id }: CommentsPath,
    @Body() input: CommentInput,
    @UrlOfRoute() urlOf: UrlOf,
  ): Promise<ApiResponse> {
    const comment = await this.comments.create(post_id, contentOf(input));
    return responseOf(comment, {
      status: 201,
      location: urlOf('example-comment-detail', { post_id, id: comment.id }),
    });
  }

  @Get(':id')
  @Operation({
    name: 'example-comment-detail',
    summary: 'Read a comment',
    representation: { description: 'The comment.', content: AS_JSON },
    problems: [404],
    cacheable: true,
  })
  async getComment(@Param() { post_id, id }: CommentPath): Promise<ApiResponse> {
    return responseOf(await this.comments.findOrFail(post_id, id));
  }

  @Put(':id')
  @Access(WRITERS)
  @Operation({
    name: 'example-comment-detail',
    summary: 'Replace a comment',
    parameters: PRECONDITIONS,
    body: BODY,
    responses: { 200: { description: 'The stored comment.', headers: ['ETag'], content: AS_JSON } },
    problems: [404, 409, 412],
  })
  async replaceComment(
    @Param() { post_id, id }: CommentPath,
    @Body() input: CommentInput,
    @IfMatch() preconditions: Preconditions,
  ): Promise<ApiResponse> {
    return responseOf(await this.comments.replace(post_id, id, contentOf(input), preconditions));
  }

  @Delete(':id')
  @Access(WRITERS)
  @Operation({
    name: 'example-comment-detail',
    summary: 'Delete a comment',
    parameters: PRECONDITIONS,
    responses: { 204: { description: 'The comment is deleted.' } },
    problems: [404, 412],
  })
  deleteComment(
    @Param() { post_id, id }: CommentPath,
    @IfMatch() preconditions: Preconditions,
  ): Promise<void> {
    return this.comments.delete(post_id, id, preconditions);
  }
}

function contentOf({ text, slug = null }: CommentInput): Pick<Comment, 'slug' | 'text'> {
  return { text, slug };
}

/** One comment: every response about it has the same entity tag. @param location of a new one */
function responseOf(
  comment: Comment,
  { status = 200, location }: { status?: number; location?: string } = {},
): ApiResponse {
  return new ApiResponse({
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-cache',
      ...(location !== undefined && { Location: location }),
    },
    entityTag: entityTagOf(comment),
    body: JSON.stringify(CommentDto.from(comment)),
  });
}
