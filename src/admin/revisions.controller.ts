import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { RevisionsService } from '../history/revisions.service.js';
import type { Authorship, Revision } from '../history/post-revision.entity.js';
import { Preconditions } from '../problem-details/index.js';
import type { User } from '../users/user.js';
import { Access, CurrentClient, CurrentListRequest, CurrentUser, ListRequest, Page } from '../http/index.js';
import type { Client } from '../limits/index.js';
import { KeysetQuery } from '../paging/index.js';
import { IsIntegerBetween } from '../input/index.js';
import { PostDto } from '../posts/dto/post.dto.js';
import { MAX_POST_ID, PostPath } from '../posts/post-id.js';
import { PostsService } from '../posts/posts.service.js';
import { formatPubDate } from '../posts/pub-date.js';
import { AdminOperation } from './admin-operation.js';
import { toAuthorDto } from './change.dto.js';

export type AuthorshipDto = ReturnType<typeof toAuthorshipDto>;

export type PostContextDto = Awaited<ReturnType<RevisionsController['getPostContext']>>;

export type RevisionDto = ReturnType<typeof toRevisionDto>;
export type WholeRevisionDto = RevisionDto & { readonly body: string };

class RevisionPath extends PostPath {
  @IsIntegerBetween(1, MAX_POST_ID)
  number!: number;
}

class CreateRevisionRestorationDto {
  /** The newest revision that the user has seen. */
  @IsIntegerBetween(1, MAX_POST_ID)
  newest!: number;
}

/** The revisions of posts. */
@Controller('admin/api/posts')
@Access({ session: 'viewer' })
export class RevisionsController {
  constructor(
    private readonly posts: PostsService,
    private readonly revisions: RevisionsService,
  ) {}

  /** The authors of a post; null where they are not known. */
  @Get(':id')
  @AdminOperation({ name: 'admin-post-context' })
  async getPostContext(@Param() { id }: PostPath, @CurrentClient() client: Client) {
    const { created, changed } = await this.revisions.findAuthors(id, client);
    if (!created && !changed) await this.posts.assertExists(id, client);
    return {
      created: created ? toAuthorshipDto(created) : null,
      changed: changed ? toAuthorshipDto(changed) : null,
    };
  }

  /** Newest first, also of a deleted post, without those whose content is no longer kept (HISTORY_DAYS). */
  @Get(':id/revisions')
  @AdminOperation({ name: 'admin-revision-list' })
  async listRevisions(
    @Param() { id }: PostPath,
    @Query() query: KeysetQuery,
    @CurrentListRequest() request: ListRequest,
  ): Promise<Page> {
    const page = await this.revisions.findPage(id, request.page(query), request.client);
    return new Page(page, page.rows.map(toRevisionDto));
  }

  @Get(':id/revisions/:number')
  @AdminOperation({ name: 'admin-revision-detail' })
  async getRevision(
    @Param() { id, number }: RevisionPath,
    @CurrentClient() client: Client,
  ): Promise<WholeRevisionDto> {
    const revision = await this.revisions.findOrFail(id, number, client);
    return { ...toRevisionDto(revision), body: revision.body };
  }

  /** Replaces the post by one of its revisions, if `newest` is still its newest one. */
  @Post(':id/revisions/:number/restorations')
  @Access({ session: 'editor' })
  @AdminOperation({ name: 'admin-revision-restoration-list', maxBodyBytes: 1_024 })
  async restoreRevision(
    @Param() { id, number }: RevisionPath,
    @Body() { newest }: CreateRevisionRestorationDto,
    @CurrentUser() { author }: User,
    @CurrentClient() client: Client,
  ): Promise<void> {
    const revision = await this.revisions.findOrFail(id, number, client);
    const preconditions = new Preconditions({ 'if-match': `"${id}-${newest}"` });
    await this.posts.replace(id, revision, preconditions, { ...author, restores: true }, client);
  }
}

/** The time and the author of a change. */
function toAuthorshipDto(change: Authorship) {
  return { at: formatPubDate(change.at), author: toAuthorDto(change) };
}

/** The content of a post after a change, or before its deletion, without the body. */
function toRevisionDto(revision: Revision) {
  const { number, action } = revision;
  const { id: _id, body: _body, ...content } = PostDto.from({ id: 0, body: '', ...revision });
  return {
    /** Ascends with each change of the post. It is the last part of the ETag that the post had. */
    number,
    action,
    ...toAuthorshipDto(revision),
    ...content,
  };
}
