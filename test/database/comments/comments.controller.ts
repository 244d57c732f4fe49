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

@ApiTags('comments')
@Access({ anyone: 'Comments are open to read.' })
@Controller('posts/:post_id/example-comments')
export class CommentsController {
  constructor(private readonly comments: CommentsService) {}

  @Get()
  @Operation({ name: 'example-comment-list', summary: 'List comments', cacheable: true })
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
  @Operation({ name: 'example-comment-list' })
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
  @Operation({ name: 'example-comment-detail', cacheable: true })
  async getComment(@Param() { post_id, id }: CommentPath): Promise<ApiResponse> {
    return responseOf(await this.comments.findOrFail(post_id, id));
  }

  @Put(':id')
  @Access(WRITERS)
  @Operation({ name: 'example-comment-detail' })
  async replaceComment(
    @Param() { post_id, id }: CommentPath,
    @Body() input: CommentInput,
    @IfMatch() preconditions: Preconditions,
  ): Promise<ApiResponse> {
    return responseOf(await this.comments.replace(post_id, id, contentOf(input), preconditions));
  }

  @Delete(':id')
  @Access(WRITERS)
  @Operation({ name: 'example-comment-detail' })
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
