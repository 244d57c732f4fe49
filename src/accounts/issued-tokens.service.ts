import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import type { User, IssuedTokens } from '../http/request/author.js';
import { LOGGER } from '../logging/logger.js';
import { ApiTokensRepository } from './api-tokens.repository.js';
import { API_TOKEN, SESSION_TOKEN, tokenDigest } from './issued-token.js';
import { SessionsRepository } from './sessions.repository.js';
import { extendedExpiry } from './sessions.service.js';

/** A use is stored at most once a minute, so that a busy token does not cause one write per request. */
const NOTE_INTERVAL_MS = 60_000;

/** Resolves session tokens and API tokens to their owners, for the HTTP layer, and records their use. */
@Injectable()
export class IssuedTokensService implements IssuedTokens, OnModuleDestroy {
  /** Writes that are running, by the digest of the token. */
  readonly #noting = new Map<string, Promise<void>>();
  #pausedUntil = 0;

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly apiTokens: ApiTokensRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  isOurs(token: string): boolean {
    return token.startsWith(SESSION_TOKEN) || token.startsWith(API_TOKEN);
  }

  async findUser(token: string): Promise<User | undefined> {
    const digest = tokenDigest(token);
    if (digest === undefined) return undefined;
    return token.startsWith(SESSION_TOKEN) ? this.#useSession(digest) : this.#useApiToken(digest);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.#noting.values());
  }

  /** @returns undefined when the session has ended or its account is disabled */
  async #useSession(id: string): Promise<User | undefined> {
    const now = Date.now();
    const owner = await this.sessions.findOwner(id, new Date(now).toISOString());
    if (!owner) return undefined;
    const { accountId, username, role, begunAt } = owner;
    let { expiresAt } = owner;
    const extended = extendedExpiry(begunAt, now);
    if (Date.parse(extended) - Date.parse(expiresAt) >= NOTE_INTERVAL_MS) {
      expiresAt = extended;
      this.#note(id, () => this.sessions.extend(id, extended));
    }
    return {
      id: `account:${accountId}`,
      author: { kind: 'account', name: username },
      role,
      session: { id, expiresAt, account: { id: accountId, username, role } },
    };
  }

  /** @returns undefined when the token is unknown, revoked or expired */
  async #useApiToken(digest: string): Promise<User | undefined> {
    const now = Date.now();
    const token = await this.apiTokens.findByDigest(digest);
    if (!token || (token.expiresAt !== null && Date.parse(token.expiresAt) <= now)) return undefined;
    const { id, name, role, lastUsedAt } = token;
    if (lastUsedAt === null || now - Date.parse(lastUsedAt) >= NOTE_INTERVAL_MS)
      this.#note(digest, () => this.apiTokens.noteUse(id, new Date(now).toISOString()));
    return { id: `token:${id}`, author: { kind: 'token', name }, role, session: undefined };
  }

  /** Runs in the background. After a failed write, such as on a full disk, it pauses, so that few lines are logged. */
  #note(digest: string, write: () => Promise<void>): void {
    if (this.#noting.has(digest) || Date.now() < this.#pausedUntil) return;
    const noting = write()
      .catch((err: unknown) => {
        this.#pausedUntil = Date.now() + NOTE_INTERVAL_MS;
        this.logger.warn({ err }, 'The use of a token could not be recorded.');
      })
      .finally(() => this.#noting.delete(digest));
    this.#noting.set(digest, noting);
  }
}
