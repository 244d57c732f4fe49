import { Controller, Delete, Get, HttpCode, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Answer } from '../../http/answer.js';
import { InputReader, noInput } from '../../http/input-reader.js';
import { TAGS } from '../../openapi/tags.js';
import { DeletedPostsService } from '../../posts/history/deleted-posts.service.js';
import { answerDone } from '../json-answers.js';
import { answerList } from '../list-answers.js';
import { checkKeysetCursor, toKeysetRequest } from '../keyset.query.js';
import { DeletedPostDto } from './deleted-post.dto.js';
import { DocumentsListDeletedPosts, DocumentsPurgePost } from './deleted-posts.docs.js';
import { DeletedPostsQuery } from './deleted-posts.query.js';

const listInput = new InputReader({ query: DeletedPostsQuery, check: checkKeysetCursor });

@ApiTags(TAGS.history)
@Controller('admin/api/deleted-posts')
export class DeletedPostsController {
  constructor(private readonly deletedPosts: DeletedPostsService) {}

  @Get()
  @DocumentsListDeletedPosts()
  async listDeletedPosts(@Req() { context }: Request): Promise<Answer> {
    const { query } = listInput.read(context);
    const page = await this.deletedPosts.page(toKeysetRequest(query, context.fullPath), query.search);
    return answerList(
      page.rows.map((post) => DeletedPostDto.from(post)),
      page,
      query,
      context,
    );
  }

  @Delete(':id')
  @HttpCode(204)
  @DocumentsPurgePost()
  async purgePost(@Req() { context }: Request): Promise<Answer> {
    noInput.read(context);
    await this.deletedPosts.purge(Number(context.parameters['id']), context.author);
    return answerDone();
  }
}
