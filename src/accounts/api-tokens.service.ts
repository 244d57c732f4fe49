import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { TokenUnknown } from '../http/pipeline/bearer-tokens.js';
import type { Session } from '../http/request/author.js';
import { LOGGER } from '../logging/logging.module.js';
import { ApiTokenNotFound } from './accounts.problems.js';
import { AccountsRepository } from './accounts.repository.js';
import { apiTokenDigest, apiTokenHint, generateApiToken } from './api-token.js';
import { ApiTokensRepository, type ShownApiToken } from './api-tokens.repository.js';

/** Its last use is noted to the minute, so that a busy token costs no write a request. */
const NOTE_INTERVAL_MS = 60_000;

export interface ApiTokenRequest {
  readonly name: string;
  /** As `Date.toISOString` writes it; null for a token that does not expire. */
  readonly expiresAt: string | null;
}

/** The tokens that people make for programs. */
@Injectable()
export class ApiTokensService implements OnModuleDestroy {
  /** The notes that are being written, by the token's id. */
  readonly #noting = new Map<number, Promise<void>>();

  constructor(
    private readonly tokens: ApiTokensRepository,
    private readonly accounts: AccountsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  list(): Promise<ShownApiToken[]> {
    return this.tokens.list();
  }

  /**
   * Makes a token. It is told this once.
   *
   * @param account the account that makes it
   * @throws TokenUnknown when the account was disabled since its session was looked up
   */
  async create(
    { name, expiresAt }: ApiTokenRequest,
    account: Session['account'],
  ): Promise<{ token: string; shown: ShownApiToken }> {
    const token = generateApiToken();
    const shown = await this.accounts.transaction(async (transaction) => {
      // Disabling an account ends its tokens: it must not end all but this one.
      const enabled = await this.accounts.lockEnabled(transaction);
      if (!enabled.includes(account.id)) throw new TokenUnknown();
      return this.tokens.insert(transaction, {
        name: name.normalize('NFC'),
        hint: apiTokenHint(token),
        digest: apiTokenDigest(token)!,
        createdAt: new Date().toISOString(),
        createdBy: account.username,
        expiresAt,
      });
    });
    return { token, shown };
  }

  /** @throws ApiTokenNotFound */
  async revoke(id: number): Promise<void> {
    if (!(await this.tokens.delete(id))) throw new ApiTokenNotFound(id);
  }

  /** Finds a token that is being used. @returns undefined when there is none, it was revoked, or it has expired */
  async use(text: string): Promise<ShownApiToken | undefined> {
    const digest = apiTokenDigest(text);
    if (digest === undefined) return undefined;
    const token = await this.tokens.findByDigest(digest);
    if (!token || (token.expiresAt !== null && token.expiresAt <= new Date().toISOString())) return undefined;
    this.#noteUse(token);
    return token;
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.#noting.values());
  }

  /** Nobody waits for it, and what it cannot write is written the next time. */
  #noteUse({ id, lastUsedAt }: ShownApiToken): void {
    const now = Date.now();
    if (lastUsedAt !== null && now - Date.parse(lastUsedAt) < NOTE_INTERVAL_MS) return;
    if (this.#noting.has(id)) return;
    const noting = this.tokens
      .noteUse(id, new Date(now).toISOString())
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'The use of an API token could not be noted.');
      })
      .finally(() => this.#noting.delete(id));
    this.#noting.set(id, noting);
  }
}
