import { Controller, Get, Query } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { ClosedSchema } from '../../openapi/index.js';
import { JSON_TYPE } from '../../http/protocol/index.js';
import { Access, CurrentListRequest, ListRequest, Operation, Page } from '../../http/index.js';
import { KeysetQuery } from '../../paging/index.js';
import { DateField } from '../dto/post-fields.js';
import { ID_SCHEMA } from '../post-id.js';
import { listLastModified } from '../post-validators.js';
import { formatPubDate, parsePubDate } from '../pub-date.js';
import type { PostDeletion } from '../post-collection.entity.js';
import { PostDeletionsService } from './post-deletions.service.js';

@ClosedSchema('PostDeletion', 'A post that was deleted.')
class PostDeletionDto {
  @ApiProperty({ ...ID_SCHEMA, description: 'The id of the post.', example: 7 })
  id!: number;

  @ApiProperty({ format: 'date-time', description: 'UTC.', example: '2026-11-20T14:40:00.000Z' })
  deleted_at!: string;

  static from({ id, deletedAt }: PostDeletion): PostDeletionDto {
    return { id, deleted_at: formatPubDate(deletedAt) };
  }
}

class PostDeletionsQuery extends KeysetQuery {
  @DateField({
    required: false,
    description: 'Posts that were deleted at this time or later. Beyond HISTORY_DAYS, the response is 410.',
  })
  deleted_after?: string;
}

const SAMPLE: PostDeletionDto = { id: 7, deleted_at: '2026-11-20T14:40:00.000Z' };

@ApiTags('posts')
@Access({ anyone: 'Posts are open to read, and so is which of them are gone.' })
@Controller('deleted-posts')
export class PostDeletionsController {
  constructor(private readonly deletions: PostDeletionsService) {}

  @Get()
  @Operation({
    name: 'deleted-post-list',
    summary: 'List deleted posts',
    description:
      'Which posts were deleted, the latest deletion first. A restored post leaves the list. Together with ' +
      '`GET /posts/?modified_after=T`, `GET /deleted-posts/?deleted_after=T` keeps a copy true, where `T` is the ' +
      'earlier `Last-Modified` of the two previous responses.',
    representation: {
      description: 'A page of deleted posts.',
      headers: ['Last-Modified', 'Link'],
      content: { [JSON_TYPE]: { type: [PostDeletionDto], example: [SAMPLE] } },
    },
    problems: [410],
    cacheable: true,
  })
  async listDeletedPosts(
    @Query() query: PostDeletionsQuery,
    @CurrentListRequest() request: ListRequest,
  ): Promise<Page> {
    const { deleted_after: from } = query;
    const page = await this.deletions.page(
      request.page(query, isDeletionKey),
      from === undefined ? undefined : parsePubDate(from),
      request.client,
    );
    const items = page.rows.map((deletion) => PostDeletionDto.from(deletion));
    return new Page(page, items, listLastModified(page.state));
  }
}

function isDeletionKey([time, id, ...others]: readonly unknown[]): boolean {
  return (
    typeof time === 'string' && parsePubDate(time) === time && typeof id === 'number' && others.length === 0
  );
}
