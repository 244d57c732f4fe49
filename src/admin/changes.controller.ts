import { Controller, Get, Param, Query } from '@nestjs/common';
import { ChangesService } from '../history/changes.service.js';
import { Access, CurrentListRequest, CurrentUser, ListRequest, Page } from '../http/index.js';
import { KeysetQuery } from '../paging/index.js';
import type { User } from '../users/user.js';
import { AdminOperation } from './admin-operation.js';
import { IdPathDto } from './input-rules.js';
import {
  ChangesQuery,
  isForAdministrators,
  toChangeDto,
  toChangedPostDto,
  toChangeFilter,
} from './change.dto.js';

@Controller('admin/api/changes')
@Access({ session: 'viewer' })
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  /**
   * The log of all changes, of log-ins, accounts, tokens, imports and exports, newest first. Posts that one author
   * made together are one entry, and so are an import and what one action did to many posts.
   */
  @Get()
  @AdminOperation({ name: 'admin-change-list' })
  async listChanges(
    @Query() query: ChangesQuery,
    @CurrentUser() user: User,
    @CurrentListRequest() request: ListRequest,
  ): Promise<Page> {
    const filter = toChangeFilter(query, user);
    const page = await this.changes.findPage(filter, request.page(query), request.client);
    const items = page.rows.map((change) => toChangeDto(change, isForAdministrators(user)));
    return new Page(page, items);
  }

  /**
   * The newest first. Of posts that were created together, the list has those that still exist; of a change of many posts,
   * all of them.
   */
  @Get(':id/posts')
  @AdminOperation({ name: 'admin-changed-post-list' })
  async listChangedPosts(
    @Param() { id }: IdPathDto,
    @Query() query: KeysetQuery,
    @CurrentListRequest() request: ListRequest,
  ): Promise<Page> {
    const page = await this.changes.findPosts(id, request.page(query, isPlace), request.client);
    return new Page(page, page.rows.map(toChangedPostDto));
  }
}

/** The id of an entry, and that of a post. */
function isPlace(key: readonly unknown[]): boolean {
  return key.length === 2 && key.every((id) => typeof id === 'number');
}
