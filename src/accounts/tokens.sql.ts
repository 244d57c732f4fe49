import { sql } from '../database/index.js';
import type { Role } from '../users/user.js';
import type { ApiToken } from './api-token.entity.js';
import type { Session } from './session.entity.js';

/** A session with what its account may do. */
export interface SessionRow extends Pick<Session, 'accountId' | 'begunAt' | 'expiresAt'> {
  readonly username: string;
  readonly role: Role;
}

/**
 * The session `:id` of an enabled account, unless it has expired `:now`. Every request with a session asks for it: TypeORM
 * takes several times as long to write a query as the databases take to run it.
 */
export const FIND_SESSION = sql<SessionRow>`
  SELECT session.account_id AS "accountId", session.begun_at AS "begunAt", session.expires_at AS "expiresAt",
    account.username AS "username", account.role AS "role"
  FROM sessions AS session JOIN accounts AS account ON account.id = session.account_id
  WHERE session.id = ${':id'} AND session.expires_at > ${':now'} AND account.is_enabled = 1
`;

export type ApiTokenRow = Pick<ApiToken, 'id' | 'name' | 'role' | 'lastUsedAt'>;

/** The API token `:digest`, unless it has expired `:now`. */
export const FIND_API_TOKEN = sql<ApiTokenRow>`
  SELECT token.id AS "id", token.name AS "name", token.role AS "role", token.last_used_at AS "lastUsedAt"
  FROM api_tokens AS token
  WHERE token.digest = ${':digest'} AND (token.expires_at IS NULL OR token.expires_at > ${':now'})
`;
