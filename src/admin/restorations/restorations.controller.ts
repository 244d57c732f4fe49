import { Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Answer } from '../../http/answer.js';
import { InputReader, NoQuery } from '../../http/input-reader.js';
import { pathOf } from '../../http/route.js';
import { TAGS } from '../../openapi/tags.js';
import { DeletedPostsService } from '../../posts/history/deleted-posts.service.js';
import { postDetail, postList } from '../../posts/posts.routes.js';
import { answerCreated } from '../json-answers.js';
import { CreateRestorationDto } from './restoration.dto.js';
import { DocumentsRestorePosts } from './restorations.docs.js';

const createInput = new InputReader({ query: NoQuery, body: CreateRestorationDto });

@ApiTags(TAGS.history)
@Controller('admin/api/restorations')
export class RestorationsController {
  constructor(private readonly deletedPosts: DeletedPostsService) {}

  @Post()
  @DocumentsRestorePosts()
  async restorePosts(@Req() { context }: Request): Promise<Answer> {
    const { post_ids } = createInput.read(context).body;
    await this.deletedPosts.restore(post_ids, context.author);
    const [id, ...others] = post_ids;
    const path = others.length === 0 ? pathOf(postDetail, { id }) : pathOf(postList);
    return answerCreated({ restored: post_ids }, context.baseUrl + path);
  }
}
