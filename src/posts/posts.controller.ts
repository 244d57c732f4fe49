import { Controller, Delete, Get, HttpCode, Post, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Answer } from '../http/answer.js';
import { type Input, InputReader, noInput, NoQuery } from '../http/input-reader.js';
import { Preconditions } from '../http/preconditions.js';
import { prefersExactCount } from '../http/prefer.js';
import { TAGS } from '../openapi/tags.js';
import { IdempotencyKeys } from '../idempotency-keys/idempotency-keys.service.js';
import type { RequestContext } from '../http/request-context.js';
import { readerOf } from '../http/response-reader.js';
import type { StreamedAnswer } from '../http/streamed-answer.js';
import { ListPostsQuery } from './dto/list-posts.query.js';
import { CreatePostDto, ReplacePostDto } from './dto/post-input.dto.js';
import { PostTargetQuery } from './dto/post-target.query.js';
import { toNewPost, toReplacement } from './dto/to-post.js';
import { checkCursor, toSelection } from './list-request.js';
import {
  answerCreated,
  answerDeleted,
  answerImported,
  answerOpenPage,
  answerPage,
  answerPost,
  answerStream,
  hasLargeBodies,
  type ListAnswer,
} from './post-answers.js';
import { checkTarget, targetOf } from './post-target.js';
import {
  DocumentsCreate,
  DocumentsDelete,
  DocumentsDeleteByQuery,
  DocumentsList,
  DocumentsRead,
  DocumentsReplace,
  DocumentsReplaceByQuery,
} from './posts.docs.js';
import { ImportsService } from './import/imports.service.js';
import { PostsService } from './posts.service.js';
import { LIST_REPRESENTATIONS } from './representations/list-representations.js';
import type { LineFormat } from './representations/post-list-representation.js';

const listInput = new InputReader({ query: ListPostsQuery, check: checkCursor });
const createInput = new InputReader({ query: NoQuery, body: CreatePostDto });
const replaceInput = new InputReader({ query: NoQuery, body: ReplacePostDto, check: checkTarget });
const replaceByQueryInput = new InputReader({
  query: PostTargetQuery,
  body: ReplacePostDto,
  check: checkTarget,
});
const deleteByQueryInput = new InputReader({ query: PostTargetQuery, check: checkTarget });

@ApiTags(TAGS.posts)
@Controller('posts')
export class PostsController {
  constructor(
    private readonly posts: PostsService,
    private readonly imports: ImportsService,
    private readonly idempotencyKeys: IdempotencyKeys,
  ) {}

  @Get()
  @DocumentsList()
  async listPosts(@Req() request: Request): Promise<Answer | StreamedAnswer> {
    const { context } = request;
    const { query } = listInput.read(context);
    const representation = LIST_REPRESENTATIONS.find((each) => each === context.representation)!;
    const list = { representation, query, context, total: undefined };
    const counts = prefersExactCount(request.get('Prefer'));
    const { lines } = representation;
    return lines && query.limit === undefined
      ? this.#streamList(request, list, lines, counts)
      : this.#answerPage(request, list, counts);
  }

  @Post()
  @DocumentsCreate()
  async createPost(@Req() { context }: Request): Promise<Answer> {
    if (context.bodyStream) return this.#importPosts(context.bodyStream, context);
    const post = toNewPost(createInput.read(context).body);
    const { author } = context;
    if (!context.idempotent) return answerCreated(await this.posts.create(post, author), context);
    return this.idempotencyKeys.answerOnce(context.idempotent, (key) =>
      this.posts.createAnd(post, author, {
        begin: (transaction) => key.claim(transaction),
        conclude: (transaction, stored) => key.remember(transaction, answerCreated(stored, context)),
      }),
    );
  }

  @Put()
  @DocumentsReplaceByQuery()
  replacePostByQuery(@Req() request: Request): Promise<Answer> {
    return this.#replace(replaceByQueryInput.read(request.context), request);
  }

  @Delete()
  @HttpCode(204)
  @DocumentsDeleteByQuery()
  deletePostByQuery(@Req() request: Request): Promise<Answer> {
    return this.#delete(deleteByQueryInput.read(request.context), request);
  }

  @Get(':id')
  @DocumentsRead()
  async getPost(@Req() { context }: Request): Promise<Answer> {
    const id = targetOf(noInput.read(context), context);
    return answerPost(await this.posts.findOrFail(id));
  }

  @Put(':id')
  @DocumentsReplace()
  replacePost(@Req() request: Request): Promise<Answer> {
    return this.#replace(replaceInput.read(request.context), request);
  }

  @Delete(':id')
  @HttpCode(204)
  @DocumentsDelete()
  deletePost(@Req() request: Request): Promise<Answer> {
    return this.#delete(noInput.read(request.context), request);
  }

  async #answerPage(request: Request, list: ListAnswer, counts: boolean): Promise<Answer | StreamedAnswer> {
    const { query, representation } = list;
    const selection = toSelection(query, representation.alsoReads);
    const [page, total, feedId] = await Promise.all([
      this.posts.page(selection),
      counts ? this.posts.count(selection) : undefined,
      this.posts.feedId(),
    ]);
    const answer = { ...list, total };
    if (!hasLargeBodies(page)) return answerPage(page, feedId, answer);
    // A stream is not shared, and may have to wait for this client's other streams.
    request.context.onAnswer?.(undefined);
    return answerOpenPage(await this.posts.openPage(selection, readerOf(request)), feedId, answer);
  }

  async #streamList(
    request: Request,
    list: ListAnswer,
    lines: LineFormat,
    counts: boolean,
  ): Promise<StreamedAnswer> {
    const stream = await this.posts.stream(toSelection(list.query), readerOf(request));
    try {
      const total = counts ? await stream.count() : undefined;
      return answerStream(stream, await stream.state(), lines, { ...list, total });
    } catch (error) {
      await stream.close();
      throw error;
    }
  }

  async #importPosts(body: AsyncGenerator<Buffer>, context: RequestContext): Promise<Answer> {
    noInput.read(context);
    return this.idempotencyKeys.answerOnce(
      context.idempotent,
      (key) =>
        this.imports.store(body, context.author, {
          begin: (transaction) => key.claim(transaction),
          conclude: (transaction, result) => key.remember(transaction, answerImported(result, context)),
        }),
      () => readToEnd(body),
    );
  }

  async #replace(input: Input<NoQuery | PostTargetQuery, ReplacePostDto>, request: Request): Promise<Answer> {
    const { context } = request;
    const id = targetOf(input, context);
    const replacement = toReplacement(input.body);
    return answerPost(await this.posts.replace(id, replacement, preconditionsOf(request), context.author));
  }

  async #delete(input: Input<NoQuery | PostTargetQuery>, request: Request): Promise<Answer> {
    const { context } = request;
    await this.posts.delete(targetOf(input, context), preconditionsOf(request), context.author);
    return answerDeleted();
  }
}

function preconditionsOf({ headers }: Request): Preconditions {
  return Preconditions.from({ ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] });
}

async function readToEnd(body: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of body) void chunk;
}
