import type { Request } from 'express';
import type { Client } from '../../limits/index.js';
import { type KeysetQuery, type KeysetRequest, keysetScope, toKeysetRequest } from '../../paging/index.js';
import type { Author } from '../../users/user.js';
import { prefers } from '../protocol/prefer.js';
import type { Representation } from './operation.js';
import type { UrlOf } from './route-table.js';

/** What a list needs of its request, besides its parameters. */
export class ListRequest<Accepted extends Representation = Representation> {
  /** Waits for the response. */
  readonly client: Client;

  constructor(private readonly request: Request) {
    this.client = request.context.client;
  }

  /**
   * The page that a query asks for.
   *
   * @param isKey whether the values of a cursor can be a key of the list; by default they are one number
   * @throws InvalidRequest when the cursor belongs to another list
   */
  page(query: KeysetQuery, isKey?: Parameters<typeof toKeysetRequest>[2]): KeysetRequest {
    return toKeysetRequest(query, keysetScope(query, this.request.context.fullPath), isKey);
  }

  /** The query as the client sent it, without its question mark. */
  get query(): string {
    return this.request.context.query;
  }

  /** The row of `produces` that `Accept` selected. */
  get representation(): Accepted {
    return this.request.context.representation as Accepted;
  }

  /** Whether the client prefers an exact count (`Prefer: count=exact`). */
  get prefersExactCount(): boolean {
    return prefers(this.request.get('Prefer'), 'count', 'exact');
  }

  get author(): Author {
    return this.request.user.author;
  }

  get urlOf(): UrlOf {
    return this.request.context.urlOf;
  }
}
