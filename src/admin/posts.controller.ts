import { Controller, Get, Query } from '@nestjs/common';
import { OmitType } from '@nestjs/swagger';
import { ListPath } from '../http/request/handler-arguments.js';
import { cursorCheck, toKeysetRequest } from '../http/request/keyset-page.js';
import type { InputCheck } from '../http/request/operation.decorator.js';
import type { Reader } from '../http/request/client-shares.js';
import { Roles } from '../http/request/roles.guard.js';
import { StreamReader } from '../http/response/response-reader.js';
import { Page } from '../http/response/to-response.js';
import { ListPostsQuery } from '../posts/dto/list-posts.query.js';
import { PostDto } from '../posts/dto/post.dto.js';
import { toFilter } from '../posts/lists/list-request.js';
import { PostListsService } from '../posts/lists/post-lists.service.js';
import { isSortKey, orderingInSite, type SortKeyValues } from '../posts/lists/post-ordering.js';
import { AdminOperation } from './admin-operation.js';

/** A row has no body, which may be of any length. */
const ROW_FIELDS = ['id', 'title', 'pub_date'] as const;
export type PostRowDto = Pick<PostDto, (typeof ROW_FIELDS)[number]>;

class ListPostRowsQuery extends OmitType(ListPostsQuery, ['offset', 'fields']) {}

const isKeyOf =
  ({ ordering }: ListPostRowsQuery) =>
  (key: SortKeyValues): boolean =>
    isSortKey(key, orderingInSite(ordering));

const checkCursor: InputCheck<{ query: ListPostRowsQuery }> = (input, fullPath, found) =>
  cursorCheck(isKeyOf(input.query))(input, fullPath, found);

/** The list of posts in the site. It differs from that of the API in the order of titles. */
@Controller('admin/api/posts')
export class PostsController {
  constructor(private readonly lists: PostListsService) {}

  @Get()
  @Roles('viewer')
  @AdminOperation({ name: 'admin-post-list', check: checkCursor })
  async listPosts(
    @Query() query: ListPostRowsQuery,
    @ListPath() path: string,
    @StreamReader() openReader: () => Reader,
  ): Promise<Page> {
    const { limit, cursor } = toKeysetRequest(query, path, isKeyOf(query));
    const ordering = orderingInSite(query.ordering);
    const selection = { filter: toFilter(query), ordering, limit, cursor, offset: 0, fields: ROW_FIELDS };
    const { rows = [], next, previous } = await this.lists.list(selection, false, openReader);
    return Page.of({ rows, next, previous }, (row) => PostDto.fromPart({ ...row, body: '' }, ROW_FIELDS));
  }
}
