import { IsIn } from 'class-validator';
import { KeysetQuery, type KeysetRequest, toKeysetRequest } from '../http/request/keyset-page.js';
import { Optional } from '../http/request/validation.js';

/** The query of a list that can also be read from its end. */
export class PagedQuery extends KeysetQuery {
  /** The last page, and the pages before it by their cursors. */
  @Optional()
  @IsIn(['true'])
  last?: 'true';
}

export function toPageRequest(query: PagedQuery, path: string): KeysetRequest {
  const request = toKeysetRequest(query, path);
  return query.last && !request.cursor ? { ...request, cursor: { direction: 'prev', key: [] } } : request;
}
