import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { hash, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { AuditService } from '../history/audit.service.js';
import type { AuditEntry } from '../history/post-history.repository.js';
import type { Author, Bearer, IssuedTokens } from '../http/request/author.js';
import { LOGGER } from '../logging/logger.js';
import { ApiTokenNotFound } from './accounts.problems.js';
import { AccountsService } from './accounts.service.js';
import type { TokenRole } from './api-token.entity.js';
import { ApiTokensRepository, type ShownApiToken } from './api-tokens.repository.js';
import { SESSION_TOKEN_PREFIX } from './session-token.js';
import { SessionsService } from './sessions.service.js';

/** Identifies the token to people and to scanners for leaked secrets. */
const API_TOKEN_PREFIX = 'pst_';

const BYTES = 32;
const HINT_CHARACTERS = 4;

/** 32 bytes in base64url. */
const TOKEN = new RegExp(`^${API_TOKEN_PREFIX}[\\w-]{43}$`);

/** The last use is stored at most once a minute, so that a busy token does not cause one write per request. */
const NOTE_INTERVAL_MS = 60_000;

export interface ApiTokenRequest {
  readonly name: string;
  readonly role: TokenRole;
  /** In the format of `Date.toISOString`; null for a token without expiry. */
  readonly expiresAt: string | null;
}

@Injectable()
export class ApiTokensService implements OnModuleDestroy {
  /** Pending writes of the last use, by token id. */
  readonly #noting = new Map<number, Promise<void>>();

  constructor(
    private readonly tokens: ApiTokensRepository,
    private readonly accounts: AccountsService,
    private readonly audit: AuditService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  list(): Promise<ShownApiToken[]> {
    return this.tokens.list();
  }

  /**
   * Creates a token. Only this call returns the token itself.
   *
   * @param author the administrator who creates it
   * @throws TokenUnknown when the author is no longer an administrator
   */
  async create(
    { name, role, expiresAt }: ApiTokenRequest,
    author: Author,
  ): Promise<{ token: string; shown: ShownApiToken }> {
    const token = generateApiToken();
    const shown = await this.accounts.asAdministrator(author, async (transaction) => {
      const inserted = await this.tokens.insert(transaction, {
        name: name.normalize('NFC'),
        hint: apiTokenHint(token),
        digest: apiTokenDigest(token)!,
        role,
        createdAt: new Date().toISOString(),
        createdBy: author.name!,
        expiresAt,
      });
      const entry: AuditEntry = { action: 'token_created', author, subject: inserted.name, detail: role };
      await this.audit.record(transaction, entry);
      return inserted;
    });
    return { token, shown };
  }

  /**
   * @throws ApiTokenNotFound
   * @throws TokenUnknown when the author is no longer an administrator
   */
  async revoke(id: number, author: Author): Promise<void> {
    await this.accounts.asAdministrator(author, async (transaction) => {
      const token = await this.tokens.delete(transaction, id);
      if (!token) throw new ApiTokenNotFound(id);
      await this.audit.record(transaction, { action: 'token_revoked', author, subject: token.name });
    });
  }

  /**
   * Finds the token of a request and records its use.
   *
   * @returns undefined when the token is unknown, revoked or expired
   */
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

  /** Runs in the background. After a failed write, the next use tries again. */
  #noteUse({ id, lastUsedAt }: ShownApiToken): void {
    const now = Date.now();
    if (lastUsedAt !== null && now - Date.parse(lastUsedAt) < NOTE_INTERVAL_MS) return;
    if (this.#noting.has(id)) return;
    const noting = this.tokens
      .noteUse(id, new Date(now).toISOString())
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'The use of an API token could not be recorded.');
      })
      .finally(() => this.#noting.delete(id));
    this.#noting.set(id, noting);
  }
}

export function generateApiToken(): string {
  return API_TOKEN_PREFIX + randomBytes(BYTES).toString('base64url');
}

/** Returns the digest under which a token is stored, or undefined when the text is not a well-formed token. */
export function apiTokenDigest(token: string): string | undefined {
  return TOKEN.test(token) ? hash('sha256', token, 'base64url') : undefined;
}

export function apiTokenHint(token: string): string {
  return token.slice(-HINT_CHARACTERS);
}

/** Resolves session tokens and API tokens to their owners, for the HTTP layer. */
@Injectable()
export class IssuedTokensService implements IssuedTokens {
  constructor(
    private readonly sessions: SessionsService,
    private readonly apiTokens: ApiTokensService,
  ) {}

  isOurs(token: string): boolean {
    return token.startsWith(SESSION_TOKEN_PREFIX) || token.startsWith(API_TOKEN_PREFIX);
  }

  async findBearer(token: string): Promise<Bearer | undefined> {
    if (token.startsWith(SESSION_TOKEN_PREFIX)) {
      const session = await this.sessions.find(token);
      if (!session) return undefined;
      const { id, username, role } = session.account;
      return { id: `account:${id}`, author: { kind: 'account', name: username }, role, session };
    }
    const apiToken = await this.apiTokens.use(token);
    if (!apiToken) return undefined;
    const { id, name, role } = apiToken;
    return { id: `token:${id}`, author: { kind: 'token', name }, role, session: undefined };
  }
}
