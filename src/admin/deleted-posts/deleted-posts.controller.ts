import { Controller, Delete, Get, HttpCode } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Answer } from '../../http/answer.js';
import { Context, InputPipe, noInput } from '../../http/input.pipe.js';
import type { RequestContext } from '../../http/request-context.js';
import { TAGS } from '../../openapi/tags.js';
import { DeletedPostsService } from '../../posts/history/deleted-posts.service.js';
import { answerDone } from '../json-answers.js';
import { answerList } from '../list-answers.js';
import { checkKeysetCursor, toKeysetRequest } from '../keyset.query.js';
import { DeletedPostDto } from './deleted-post.dto.js';
import { DocumentsListDeletedPosts, DocumentsPurgePost } from './deleted-posts.docs.js';
import { DeletedPostsQuery } from './deleted-posts.query.js';

const listInput = new InputPipe({ query: DeletedPostsQuery, check: checkKeysetCursor });

@ApiTags(TAGS.history)
@Controller('admin/api/deleted-posts')
export class DeletedPostsController {
  constructor(private readonly deletedPosts: DeletedPostsService) {}

  @Get()
  @DocumentsListDeletedPosts()
  async listDeletedPosts(@Context() context: RequestContext): Promise<Answer> {
    const { query } = listInput.transform(context);
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
  async purgePost(@Context() context: RequestContext): Promise<Answer> {
    noInput.transform(context);
    await this.deletedPosts.purge(Number(context.parameters['id']), context.author);
    return answerDone();
  }
}
