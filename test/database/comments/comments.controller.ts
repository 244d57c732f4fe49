import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { IfMatch, ListPath } from '../../../src/http/routes/handler-arguments.js';
import { KeysetQuery, toKeysetRequest } from '../../../src/paging/keyset-page.js';
import { Roles } from '../../../src/http/access/roles.guard.js';
import { ApiResponse } from '../../../src/http/response/api-response.js';
import { Page } from '../../../src/http/response/page.js';
import { Operation } from '../../../src/openapi/operation.decorator.js';
import type { Preconditions } from '../../../src/problem-details/preconditions.js';
import { CommentDto, CommentInput, CommentPath, CommentsPath } from './comment.dto.js';
import type { Comment } from './comment.entity.js';
import { CommentsService, entityTagOf } from './comments.service.js';

@Controller('posts/:post_id/comments')
export class CommentsController {
  constructor(private readonly comments: CommentsService) {}

  @Get()
  @Operation({ name: 'comment-list', summary: 'List comments', cacheable: true })
  async list(
    @Param() { post_id }: CommentsPath,
    @Query() query: KeysetQuery,
    @ListPath() path: string,
  ): Promise<Page> {
    const page = await this.comments.list(post_id, toKeysetRequest(query, path));
    return new Page(
      page,
      page.rows.map((comment) => CommentDto.from(comment)),
    );
  }

  @Post()
  @Roles('editor')
  @Operation({ name: 'comment-list', location: ({ id }: CommentDto) => ['comment-detail', { id }] })
  async create(@Param() { post_id }: CommentsPath, @Body() input: CommentInput): Promise<CommentDto> {
    return CommentDto.from(await this.comments.create(post_id, contentOf(input)));
  }

  @Get(':id')
  @Operation({ name: 'comment-detail', cacheable: true })
  async get(@Param() { id }: CommentPath): Promise<ApiResponse> {
    return responseOf(await this.comments.find(id));
  }

  @Put(':id')
  @Roles('editor')
  @Operation({ name: 'comment-detail' })
  async replace(
    @Param() { id }: CommentPath,
    @Body() input: CommentInput,
    @IfMatch() preconditions: Preconditions,
  ): Promise<ApiResponse> {
    return responseOf(await this.comments.replace(id, contentOf(input), preconditions));
  }

  @Delete(':id')
  @Roles('editor')
  @Operation({ name: 'comment-detail' })
  delete(@Param() { id }: CommentPath, @IfMatch() preconditions: Preconditions): Promise<void> {
    return this.comments.delete(id, preconditions);
  }
}

function contentOf({ text, slug = null }: CommentInput): Pick<Comment, 'slug' | 'text'> {
  return { text, slug };
}

function responseOf(comment: Comment): ApiResponse {
  return new ApiResponse({
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' },
    entityTag: entityTagOf(comment),
    body: JSON.stringify(CommentDto.from(comment)),
  });
}
