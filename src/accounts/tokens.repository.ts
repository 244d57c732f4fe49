import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { hash, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { type EntityManager, In, IsNull, LessThan, Or } from 'typeorm';
import { Database, type Queryable, type Transaction } from '../database/index.js';
import type { Client } from '../limits/index.js';
import type { Author, Credential, IssuedTokens, User } from '../users/user.js';
import { LOGGER } from '../logging/logger.js';
import { ApiToken, type TokenRole } from './api-token.entity.js';
import { Session } from './session.entity.js';
import { type ApiTokenRow, FIND_API_TOKEN, FIND_SESSION, type SessionRow } from './tokens.sql.js';

/** Prefixes identify tokens to people and to scanners for leaked secrets. */
export const SESSION_TOKEN = 'psa_';
export const API_TOKEN = 'pst_';

/** Issues a token. Only its digest is stored. */
export function issueToken(prefix: typeof SESSION_TOKEN | typeof API_TOKEN): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** The digest under which a token is stored. A plain digest is safe because the token has 256 random bits. */
export function tokenDigest(token: string): string {
  return hash('sha256', token, 'base64url');
}

const HOUR_MS = 60 * 60 * 1_000;

/** A session ends when it was not used for this time. */
const IDLE_MS = HOUR_MS;
/** A session ends after a working day, however much it is used. */
const LONGEST_MS = 12 * HOUR_MS;

/** The time at which a session that is used now will expire. */
export function extendedExpiry(begunAt: string, now: number): string {
  return new Date(Math.min(now + IDLE_MS, Date.parse(begunAt) + LONGEST_MS)).toISOString();
}

/** Revokes the tokens of these roles that the account made. @returns the revoked tokens */
export async function revokeTokens(
  { manager }: Transaction,
  createdBy: string,
  roles: readonly TokenRole[],
): Promise<ApiToken[]> {
  const tokens = await manager.findBy(ApiToken, { createdBy, role: In(roles) });
  await manager.delete(ApiToken, { id: In(tokens.map(({ id }) => id)) });
  return tokens;
}

/** @returns undefined when the session has ended or its account is disabled */
async function findSession(within: Queryable, id: string, now = Date.now()): Promise<SessionRow | undefined> {
  const [session] = await within.all(FIND_SESSION, { id, now: new Date(now).toISOString() });
  return session;
}

/** @returns undefined when the token is unknown, was revoked or has expired */
async function findApiToken(
  within: Queryable,
  digest: string,
  now = Date.now(),
): Promise<ApiTokenRow | undefined> {
  const [token] = await within.all(FIND_API_TOKEN, { digest, now: new Date(now).toISOString() });
  return token;
}

/** A use is stored at most once a minute, so that a busy token does not cause one write per request. */
const NOTE_INTERVAL_MS = 60_000;

/** Resolves session tokens and API tokens to their owners, for the HTTP layer, and records their use. */
@Injectable()
export class TokensRepository implements IssuedTokens, OnModuleDestroy {
  /** Writes that are running, by the digest of the token. */
  readonly #noting = new Map<string, Promise<unknown>>();
  #pausedUntil = 0;

  constructor(
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  isOurs(token: string): boolean {
    return token.startsWith(SESSION_TOKEN) || token.startsWith(API_TOKEN);
  }

  findUser(token: string, client: Client): Promise<User | undefined> {
    const digest = tokenDigest(token);
    const reader = this.database.readerOf(client);
    return token.startsWith(SESSION_TOKEN)
      ? this.#useSession(digest, reader)
      : this.#useApiToken(digest, reader);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.#noting.values());
  }

  /** @returns undefined when the session has ended or its account is disabled */
  async #useSession(id: string, reader: Queryable): Promise<User | undefined> {
    const now = Date.now();
    const session = await findSession(reader, id, now);
    if (!session) return undefined;
    const { accountId, username, role } = session;
    let { expiresAt } = session;
    const extended = extendedExpiry(session.begunAt, now);
    if (Date.parse(extended) - Date.parse(expiresAt) >= NOTE_INTERVAL_MS) {
      expiresAt = extended;
      // Another instance may have stored a later time. A session that has ended meanwhile stays so.
      this.#note(id, (writer) =>
        writer.update(Session, { id, expiresAt: LessThan(extended) }, { expiresAt: extended }),
      );
    }
    const credential: Credential = {
      currentRole: async (transaction) => (await findSession(transaction, id))?.role,
    };
    return {
      id: `account:${accountId}`,
      author: { kind: 'account', name: username, credential },
      role,
      session: { id, expiresAt, account: { id: accountId, username, role } },
    };
  }

  /** @returns undefined when the token is unknown, revoked or expired */
  async #useApiToken(digest: string, reader: Queryable): Promise<User | undefined> {
    const now = Date.now();
    const token = await findApiToken(reader, digest, now);
    if (!token) return undefined;
    const { id, name, role, lastUsedAt: last } = token;
    if (last === null || now - Date.parse(last) >= NOTE_INTERVAL_MS) {
      const lastUsedAt = new Date(now).toISOString();
      this.#note(digest, (writer) =>
        writer.update(ApiToken, { id, lastUsedAt: Or(IsNull(), LessThan(lastUsedAt)) }, { lastUsedAt }),
      );
    }
    const credential: Credential = {
      currentRole: async (transaction) => (await findApiToken(transaction, digest))?.role,
    };
    const author: Author = { kind: 'token', name, credential };
    return { id: `token:${id}`, author, role, session: undefined };
  }

  /** Runs in the background. After a failed write, such as on a full disk, it pauses, so that few lines are logged. */
  #note(digest: string, write: (manager: EntityManager) => Promise<unknown>): void {
    if (this.#noting.has(digest) || Date.now() < this.#pausedUntil) return;
    const noting = this.database
      .write(({ manager }) => write(manager))
      .catch((err: unknown) => {
        this.#pausedUntil = Date.now() + NOTE_INTERVAL_MS;
        this.logger.warn({ err }, 'The use of a token could not be recorded.');
      })
      .finally(() => this.#noting.delete(digest));
    this.#noting.set(digest, noting);
  }
}
