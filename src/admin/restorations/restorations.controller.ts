import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DeletedPostNotFound, PostsNotDeleted } from '../../history/history.service.js';
import { JSON_TYPE } from '../../http/protocol/media-type.js';
import type { Author } from '../../http/request/author.js';
import { CurrentAuthor } from '../../http/request/handler-arguments.js';
import { DATABASE_BUSY } from '../../openapi/problem-response.js';
import { TAGS } from '../../openapi/tags.js';
import { DeletedPostsService } from '../../posts/writes/deleted-posts.service.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { aCreation, AdminOperation, aJson } from '../admin-operation.js';
import { CreateRestorationDto, RestorationDto } from './restoration.dto.js';

const RESTORED = aJson(
  'They are there again. Of one post `Location` says where; of several, where all posts are.',
  RestorationDto,
  { restored: [7, 9] },
);

@ApiTags(TAGS.history)
@Controller('admin/api/restorations')
export class RestorationsController {
  constructor(private readonly deletedPosts: DeletedPostsService) {}

  @Post()
  @AdminOperation({
    name: 'admin-restoration-list',
    access: 'editor',
    location: ({ restored: [id, ...others] }: RestorationDto) =>
      others.length === 0 ? ['post-detail', { id }] : ['post-list'],
    summary: 'Restore deleted posts',
    description:
      'Under the same ids and as they were when they were deleted, but with ETags that they never had before.',
    body: { content: { [JSON_TYPE]: { type: CreateRestorationDto, example: { post_ids: [7, 9] } } } },
    responses: { 201: aCreation(RESTORED) },
    problems: {
      faultyIds: new InvalidRequest([
        { detail: 'The field is required.', code: 'required', pointer: '/post_ids' },
      ]),
      notDeleted: new PostsNotDeleted([9]),
      unknownPost: new DeletedPostNotFound([7]),
      databaseBusy: DATABASE_BUSY,
    },
  })
  async restorePosts(
    @Body() { post_ids: ids }: CreateRestorationDto,
    @CurrentAuthor() author: Author,
  ): Promise<RestorationDto> {
    await this.deletedPosts.restore(ids, author);
    return { restored: ids };
  }
}
