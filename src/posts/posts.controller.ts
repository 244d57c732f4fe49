import { Body, Controller, Delete, Get, Param, Post as PostMethod, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Preconditions } from '../problem-details/index.js';
import type { Client } from '../limits/index.js';
import type { User } from '../users/user.js';
import {
  Access,
  type ApiResponse,
  IdempotencyKey,
  type IdempotentRequest,
  IfMatch,
  CurrentClient,
  CurrentListRequest,
  CurrentUser,
  ListRequest,
  Operation,
  type UrlOf,
  UrlOfRoute,
  WRITERS,
} from '../http/index.js';
import { IdempotencyKeys } from '../idempotency/idempotency-keys.service.js';
import { ListPostsQuery } from './dto/list-posts.query.js';
import { CreatePostDto, ReplacePostDto, toNewPost, toReplacement } from './dto/post.dto.js';
import type { PostListRepresentation } from './formats/post-list-representation.js';
import { toSelection } from './lists/list-request.js';
import { PostListsService } from './lists/post-lists.service.js';
import * as docs from './post-documentation.js';
import { DeletePostQuery, PostPath, PostTargetQuery, targetOf } from './post-id.js';
import { createdResponse, listResponse, postResponse } from './post-responses.js';
import type { Post } from './post.entity.js';
import { PostsService } from './posts.service.js';
import { PostListeners } from './writes/post-changes.js';

/** The interface document has no authentication; API_TOKENS is about writing. */
const READERS = { anyone: 'Posts are open to read.' };

@ApiTags('posts')
@Controller('posts')
export class PostsController {
  constructor(
    private readonly posts: PostsService,
    private readonly lists: PostListsService,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly listeners: PostListeners,
  ) {}

  @Get()
  @Access(READERS)
  @Operation({
    name: 'post-list',
    summary: 'List posts',
    description:
      'A page of posts, by default the newest first. Follow the links in `Link` to the next pages: they keep all parameters. ' +
      'NDJSON and CSV stream all selected posts as of one moment, unless there is a `limit`. ' +
      'Unknown, repeated or invalid parameters are refused, never ignored.',
    parameters: ['Prefer'],
    produces: docs.LIST_PRODUCES,
    representation: docs.POST_PAGE,
    problems: [410],
    cacheable: true,
  })
  async listPosts(
    @Query() query: ListPostsQuery,
    @CurrentListRequest() request: ListRequest<PostListRepresentation>,
  ): Promise<ApiResponse> {
    const { representation, prefersExactCount: counts, client, author } = request;
    const selection = toSelection(query, representation.separator);
    const shown = { selection, rawQuery: request.query, representation, urlOf: request.urlOf };
    if (!representation.isUnlimited || query.limit !== undefined) {
      return listResponse(await this.lists.list(selection, counts, client), shown);
    }
    const onRead = (): void => this.listeners.onExport(author, representation.mediaType);
    return listResponse(await this.lists.stream(selection, counts, client), shown, onRead);
  }

  @PostMethod()
  @Access(WRITERS)
  @Operation({
    name: 'post-list',
    summary: 'Store a post',
    description:
      'The service assigns the `id`. An `id` in the body is ignored, so that a post that was read can be sent again.',
    parameters: ['Idempotency-Key'],
    body: docs.NEW_POST_BODY,
    takesIdempotencyKey: true,
    responses: { 201: docs.CREATED },
    problems: [409, 422],
  })
  async createPost(
    @Body() post: CreatePostDto,
    @IdempotencyKey() key: IdempotentRequest | undefined,
    @CurrentUser() { author }: User,
    @CurrentClient() client: Client,
    @UrlOfRoute() urlOf: UrlOf,
  ): Promise<ApiResponse> {
    const newPost = toNewPost(post);
    return this.idempotencyKeys.respondOnce(
      key,
      (hooks) => this.posts.create(newPost, author, client, hooks),
      (created: Post) => createdResponse(created, urlOf),
    );
  }

  @Put()
  @Access(WRITERS)
  @Operation({
    name: 'post-list',
    summary: 'Replace the post that the query or the body names',
    description:
      'Like PUT on the path of the post. The `id` is in the query, in the body, or the same in both; ' +
      `without it nothing is changed. ${docs.IF_MATCH_ADVICE}`,
    ...docs.REPLACEMENT,
  })
  async replacePostByQuery(
    @Query() query: PostTargetQuery,
    @Body() post: ReplacePostDto,
    @IfMatch() preconditions: Preconditions,
    @CurrentUser() { author }: User,
    @CurrentClient() client: Client,
  ): Promise<ApiResponse> {
    const target = targetOf(query, post);
    return postResponse(await this.posts.replace(target, toReplacement(post), preconditions, author, client));
  }

  @Delete()
  @Access(WRITERS)
  @Operation({
    name: 'post-list',
    summary: 'Delete the post that the query names',
    description: `Like DELETE on the path of the post. Without an \`id\` nothing is deleted. ${docs.IF_MATCH_ADVICE}`,
    ...docs.DELETION,
  })
  deletePostByQuery(
    @Query() query: DeletePostQuery,
    @IfMatch() preconditions: Preconditions,
    @CurrentUser() { author }: User,
    @CurrentClient() client: Client,
  ): Promise<void> {
    return this.posts.delete(targetOf(query), preconditions, author, client);
  }

  @Get(':id')
  @Access(READERS)
  @Operation({
    name: 'post-detail',
    summary: 'Read a post',
    description: 'Its `ETag` identifies this version.',
    produces: docs.POST_PRODUCES,
    representation: { description: 'The post.', headers: ['Last-Modified'], content: docs.POST_AS_JSON },
    cacheable: { rowOf: 'posts' },
  })
  async getPost(@Param() { id }: PostPath, @CurrentClient() client: Client): Promise<ApiResponse> {
    const post = await this.posts.findOrFail(id, client);
    return postResponse(post, this.#isCurrent(post));
  }

  /** A method of its own: the function, which is kept, would keep the request and the post too. */
  #isCurrent({ id, version }: Post): () => Promise<boolean> {
    return () => this.posts.isCurrent(id, version);
  }

  @Put(':id')
  @Access(WRITERS)
  @Operation({
    name: 'post-detail',
    summary: 'Replace a post',
    description: `The body replaces the post. Without a \`pub_date\` the date does not change. ${docs.IF_MATCH_ADVICE}`,
    ...docs.REPLACEMENT,
  })
  async replacePost(
    @Param() path: PostPath,
    @Body() post: ReplacePostDto,
    @IfMatch() preconditions: Preconditions,
    @CurrentUser() { author }: User,
    @CurrentClient() client: Client,
  ): Promise<ApiResponse> {
    return postResponse(
      await this.posts.replace(targetOf(path, post), toReplacement(post), preconditions, author, client),
    );
  }

  @Delete(':id')
  @Access(WRITERS)
  @Operation({
    name: 'post-detail',
    summary: 'Delete a post',
    description: docs.IF_MATCH_ADVICE,
    ...docs.DELETION,
  })
  deletePost(
    @Param() { id }: PostPath,
    @IfMatch() preconditions: Preconditions,
    @CurrentUser() { author }: User,
    @CurrentClient() client: Client,
  ): Promise<void> {
    return this.posts.delete(id, preconditions, author, client);
  }
}
