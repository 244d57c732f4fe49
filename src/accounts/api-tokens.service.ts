import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logging.module.js';
import { ApiTokenNotFound } from './accounts.problems.js';
import { apiTokenDigest, apiTokenHint, generateApiToken } from './api-token.js';
import { ApiTokensRepository, type ShownApiToken } from './api-tokens.repository.js';

/** Its last use is noted to the minute, so that a busy token costs no write a request. */
const NOTE_INTERVAL_MS = 60_000;

/** The tokens that people make for programs. */
@Injectable()
export class ApiTokensService implements OnModuleDestroy {
  /** The notes that are being written, by the token's id. */
  readonly #noting = new Map<number, Promise<void>>();

  constructor(
    private readonly tokens: ApiTokensRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  list(): Promise<ShownApiToken[]> {
    return this.tokens.list();
  }

  /**
   * Makes a token. It is told this once.
   *
   * @param createdBy the user name of whoever makes it
   */
  async create(name: string, createdBy: string): Promise<{ token: string; shown: ShownApiToken }> {
    const token = generateApiToken();
    const shown = await this.tokens.insert({
      name: name.normalize('NFC'),
      hint: apiTokenHint(token),
      digest: apiTokenDigest(token)!,
      createdAt: new Date().toISOString(),
      createdBy,
    });
    return { token, shown };
  }

  /** @throws ApiTokenNotFound */
  async revoke(id: number): Promise<void> {
    if (!(await this.tokens.delete(id))) throw new ApiTokenNotFound(id);
  }

  /** Finds a token that is being used. @returns undefined when there is none, or not any more */
  async use(text: string): Promise<ShownApiToken | undefined> {
    const digest = apiTokenDigest(text);
    if (digest === undefined) return undefined;
    const token = await this.tokens.findByDigest(digest);
    if (token) this.#noteUse(token);
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
