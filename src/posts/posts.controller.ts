import { Body, Controller, Delete, Get, Param, Post as PostMethod, Put, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Operation } from '../openapi/index.js';
import {
  CSV_TYPE,
  HTML_TYPE,
  JSON_TYPE,
  NDJSON_TYPE,
  prefersExactCount,
  prefersMergedDuplicates,
} from '../http/protocol/index.js';
import type { Preconditions } from '../problem-details/index.js';
import type { Author } from '../users/user.js';
import {
  type ApiResponse,
  BodyStream,
  ClientAddress,
  CurrentAuthor,
  IdempotencyKey,
  type IdempotentRequest,
  IfMatch,
  readerOf,
  type RequestBody,
  Access,
  WRITERS,
} from '../http/index.js';
import { IdempotencyKeys } from '../idempotency/idempotency-keys.service.js';
import { ListPostsQuery } from './dto/list-posts.query.js';
import { CreatePostDto, PostDto, ReplacePostDto, toNewPost, toReplacement } from './dto/post.dto.js';
import { LIST_REPRESENTATIONS, LIVE_CHANGES } from './formats/list-representations.js';
import type { PostListRepresentation } from './formats/post-list-representation.js';
import { toEventsRequest, toSelection } from './lists/list-request.js';
import { PostListsService } from './lists/post-lists.service.js';
import * as docs from './post-documentation.js';
import { DeletePostQuery, PostPath, PostTargetQuery, targetOf } from './post-id.js';
import { PostEvents } from './post-events.js';
import { type ImportResult, PostImports } from './post-imports.js';
import {
  createdResponse,
  eventsResponse,
  importedResponse,
  listResponse,
  mergedResponse,
  postResponse,
} from './post-responses.js';
import type { Post } from './post.entity.js';
import { PostsService } from './posts.service.js';
import { PostListeners } from './writes/post-changes.js';

/** The interface document has no authentication; API_TOKENS is about writing. */
const READERS = { anyone: 'Posts are open to read.' };

/** The browsable form is Swagger UI, opened at the operation of the same path. */
const form = (operationId: string) => ({ mediaType: HTML_TYPE, seeOther: `/docs/#/posts/${operationId}` });

/** What the operations on the path of the collection and on that of the post have in common. */
const REPLACEMENT = {
  parameters: docs.PRECONDITIONS,
  body: docs.REPLACEMENT_BODY,
  responses: { 200: docs.REPLACED },
  problems: [404, 412],
} as const;
const DELETION = {
  parameters: docs.PRECONDITIONS,
  responses: { 204: docs.DELETED },
  problems: [404, 412],
} as const;

@ApiTags('posts')
@Controller('posts')
export class PostsController {
  constructor(
    private readonly posts: PostsService,
    private readonly lists: PostListsService,
    private readonly imports: PostImports,
    private readonly events: PostEvents,
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
    parameters: ['Prefer', 'Last-Event-ID'],
    produces: [...LIST_REPRESENTATIONS, form('listPosts'), LIVE_CHANGES],
    representation: docs.POST_PAGE,
    problems: [410],
    cacheable: true,
  })
  async listPosts(
    @Query() query: ListPostsQuery,
    // Nest calls the pipes for each argument that a decorator of ours makes, which takes longer than all of these.
    @Req() request: Request,
  ): Promise<ApiResponse> {
    const { context, user } = request;
    if (context.representation === LIVE_CHANGES) return this.#openEvents(query, request);
    const representation = context.representation as PostListRepresentation;
    const selection = toSelection(query, representation.separator);
    const shown = { selection, rawQuery: context.query, representation, urlOf: context.urlOf };
    const counts = prefersExactCount(request.get('Prefer'));
    const reader = readerOf(request);
    if (!representation.isUnlimited || query.limit !== undefined) {
      return listResponse(await this.lists.list(selection, counts, reader), shown);
    }
    const onRead = (): void => this.listeners.onExport(user.author, representation.mediaType);
    return listResponse(await this.lists.stream(selection, counts, reader), shown, onRead);
  }

  async #openEvents(query: ListPostsQuery, request: Request): Promise<ApiResponse> {
    const { since, fields } = toEventsRequest(query, request.get('Last-Event-ID'));
    return eventsResponse(await this.events.open(since, fields, readerOf(request)));
  }

  @PostMethod()
  @Access(WRITERS)
  @Operation({
    name: 'post-list',
    summary: 'Store a post',
    description:
      'The service assigns the `id`. An `id` in the body is ignored, so that a post that was read can be sent again.',
    parameters: ['Idempotency-Key', 'Prefer'],
    body: docs.NEW_POST_BODY,
    streams: [NDJSON_TYPE, CSV_TYPE],
    takesIdempotencyKey: true,
    responses: { 200: docs.MERGED, 201: docs.CREATED },
    problems: [409, 412, 422],
  })
  async createPost(
    @Body() post: CreatePostDto,
    @BodyStream() lines: RequestBody | undefined,
    @IdempotencyKey() key: IdempotentRequest | undefined,
    @CurrentAuthor() author: Author,
    @ClientAddress() address: string,
    @Req() request: Request,
  ): Promise<ApiResponse> {
    const { urlOf } = request.context;
    if (lines) {
      const merges = prefersMergedDuplicates(request.get('Prefer'));
      const importer = { ...author, address };
      const source = { body: lines, mediaType: lines.mediaType, merges, author: importer };
      const responseOf = merges ? mergedResponse : importedResponse;
      return this.idempotencyKeys.respondOnce(
        key,
        (hooks) => this.imports.store(source, hooks),
        (result: ImportResult) => responseOf(result, urlOf),
        lines,
      );
    }
    const newPost = toNewPost(post);
    return this.idempotencyKeys.respondOnce(
      key,
      (hooks) => this.posts.create(newPost, author, hooks),
      (created: Post) =>
        key
          ? createdResponse(created, urlOf, JSON.stringify(PostDto.from(created)))
          : createdResponse(created, urlOf),
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
    ...REPLACEMENT,
  })
  async replacePostByQuery(
    @Query() query: PostTargetQuery,
    @Body() post: ReplacePostDto,
    @IfMatch() preconditions: Preconditions,
    @CurrentAuthor() author: Author,
  ): Promise<ApiResponse> {
    const target = targetOf(query, post);
    return postResponse(await this.posts.replace(target, toReplacement(post), preconditions, author));
  }

  @Delete()
  @Access(WRITERS)
  @Operation({
    name: 'post-list',
    summary: 'Delete the post that the query names',
    description: `Like DELETE on the path of the post. Without an \`id\` nothing is deleted. ${docs.IF_MATCH_ADVICE}`,
    ...DELETION,
  })
  deletePostByQuery(
    @Query() query: DeletePostQuery,
    @IfMatch() preconditions: Preconditions,
    @CurrentAuthor() author: Author,
  ): Promise<void> {
    return this.posts.delete(targetOf(query), preconditions, author);
  }

  @Get(':id')
  @Access(READERS)
  @Operation({
    name: 'post-detail',
    summary: 'Read a post',
    description: 'Its `ETag` identifies this version.',
    produces: [{ mediaType: JSON_TYPE }, form('getPost')],
    representation: { description: 'The post.', headers: ['Last-Modified'], content: docs.POST_AS_JSON },
    cacheable: { rowOf: 'posts' },
  })
  async getPost(@Param() { id }: PostPath, @Req() request: Request): Promise<ApiResponse> {
    const post = await this.posts.findOrFail(id, readerOf(request));
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
    ...REPLACEMENT,
  })
  async replacePost(
    @Param() path: PostPath,
    @Body() post: ReplacePostDto,
    @IfMatch() preconditions: Preconditions,
    @CurrentAuthor() author: Author,
  ): Promise<ApiResponse> {
    return postResponse(
      await this.posts.replace(targetOf(path, post), toReplacement(post), preconditions, author),
    );
  }

  @Delete(':id')
  @Access(WRITERS)
  @Operation({
    name: 'post-detail',
    summary: 'Delete a post',
    description: docs.IF_MATCH_ADVICE,
    ...DELETION,
  })
  deletePost(
    @Param() { id }: PostPath,
    @IfMatch() preconditions: Preconditions,
    @CurrentAuthor() author: Author,
  ): Promise<void> {
    return this.posts.delete(id, preconditions, author);
  }
}
