import { Body, Controller, Post } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { DeletedPostNotFound, PostsNotDeleted } from '../../history/history.service.js';
import { JSON_TYPE } from '../../http/protocol/media-type.js';
import type { Author } from '../../http/request/author.js';
import { CurrentAuthor } from '../../http/request/handler-arguments.js';
import type { InputCheck } from '../../http/request/input-reader.js';
import { IsIntegerBetween } from '../../http/request/validation.js';
import { ClosedSchema, TAGS } from '../../openapi/document-types.js';
import { UNKNOWN_PARAMETER } from '../../openapi/problem-response.js';
import { DeletedPostsService } from '../../posts/writes/deleted-posts.service.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { aCreation, AdminOperation, aJson } from '../admin-operation.js';
import { ArePostIds, POST_IDS_SCHEMA } from '../input-rules.js';

@ClosedSchema('NewRestoration', 'The deleted posts to restore.')
class CreateRestorationDto {
  @ArePostIds()
  @ApiProperty({ ...POST_IDS_SCHEMA, description: 'All of them are restored, or none.', example: [7, 9] })
  post_ids!: number[];
}

@ClosedSchema('Restoration', 'The restored posts.')
export class RestorationDto {
  @ApiProperty({ ...POST_IDS_SCHEMA, example: [7, 9] })
  restored!: number[];
}

@ClosedSchema('NewPurge', 'The deleted posts to remove for good.')
class CreatePurgeDto {
  @ArePostIds()
  @ApiProperty({ ...POST_IDS_SCHEMA, description: 'All of them are removed, or none.', example: [7, 9] })
  post_ids!: number[];

  @IsIntegerBetween(1, Number.MAX_SAFE_INTEGER)
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The number of these posts, as a confirmation.',
    example: 2,
  })
  count!: number;
}

@ClosedSchema('Purge', 'The posts that were removed for good.')
class PurgeDto {
  @ApiProperty({ ...POST_IDS_SCHEMA, example: [7, 9] })
  purged!: number[];
}

const checkCount: InputCheck<{ body: CreatePurgeDto }> = ({ body }, _context, found) =>
  found.length > 0 || body.count === body.post_ids.length ? [] : [wrongCount(body.post_ids.length)];

const wrongCount = (posts: number) =>
  ({
    detail: `The value must be the number of posts, ${posts}.`,
    code: 'out_of_range',
    limit: posts,
    pointer: '/count',
  }) as const;

const RESTORED = aJson(
  'The posts are restored. `Location` is the address of the post, or of the collection for several posts.',
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
    description: 'Under the same ids, with the content that they had, and with new ETags.',
    body: { content: { [JSON_TYPE]: { type: CreateRestorationDto, example: { post_ids: [7, 9] } } } },
    responses: { 201: aCreation(RESTORED) },
    problems: {
      faultyIds: new InvalidRequest([
        { detail: 'The field is required.', code: 'required', pointer: '/post_ids' },
      ]),
      notDeleted: new PostsNotDeleted([9]),
      unknownPost: new DeletedPostNotFound([7]),
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

@ApiTags(TAGS.history)
@Controller('admin/api/purges')
export class PurgesController {
  constructor(private readonly deletedPosts: DeletedPostsService) {}

  @Post()
  @AdminOperation({
    name: 'admin-purge-list',
    access: 'administrator',
    check: checkCount,
    summary: 'Remove deleted posts for good',
    description: 'With all their revisions; they cannot be restored. The change log keeps one entry.',
    body: { content: { [JSON_TYPE]: { type: CreatePurgeDto, example: { post_ids: [7, 9], count: 2 } } } },
    responses: { 200: aJson('Nothing of the posts is left.', PurgeDto, { purged: [7, 9] }) },
    problems: {
      wrongCount: new InvalidRequest([wrongCount(2)]),
      unknownParameter: UNKNOWN_PARAMETER,
      notDeleted: new DeletedPostNotFound([7]),
    },
  })
  async purgePosts(
    @Body() { post_ids: ids }: CreatePurgeDto,
    @CurrentAuthor() author: Author,
  ): Promise<PurgeDto> {
    await this.deletedPosts.purge(ids, author);
    return { purged: ids };
  }
}
