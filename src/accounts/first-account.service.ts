import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Author } from '../users/user.js';
import { LOGGER } from '../logging/logger.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { AccountsService } from './accounts.service.js';
import { PasswordHasher } from './password-hasher.js';

const START: Author = { kind: 'command', name: 'start' };

/**
 * Creates the first administrator: with ADMIN_PASSWORD before the service listens, with a generated password once it
 * listens. A start that fails, because its port is in use for example, must not use up the password that is shown only once.
 */
@Injectable()
export class FirstAccountService implements OnModuleInit {
  constructor(
    private readonly accounts: AccountsService,
    private readonly hasher: PasswordHasher,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    const { username, password } = this.settings.admin;
    if (password !== undefined) await this.#attempt(() => this.#ensureAdministrator(username, password));
  }

  /** Call when the service listens. */
  async makeFirst(): Promise<void> {
    const { username, password } = this.settings.admin;
    // Without a log, a generated password could not be shown.
    if (password !== undefined || !this.logger.isLevelEnabled('fatal')) return;
    await this.#attempt(() => this.#addWithGeneratedPassword(username));
  }

  /** A service whose database accepts no writes still serves reads. */
  async #attempt(create: () => Promise<void>): Promise<void> {
    try {
      await create();
    } catch (err) {
      this.logger.error({ err }, 'The first account could not be created; the next start tries again.');
    }
  }

  /**
   * Creates the account of ADMIN_USERNAME, or makes it an administrator with ADMIN_PASSWORD again. A disabled account stays
   * disabled: it may have been disabled for a reason.
   */
  async #ensureAdministrator(username: string, password: string): Promise<void> {
    const account = await this.accounts.findByUsername(username);
    if (!account) {
      if (await this.#add(username, password)) this.logger.info({ username }, 'The account was created.');
      return;
    }
    const isRight = await this.hasher.verify(password, account.passwordHash);
    if (isRight && account.role === 'administrator') return;
    const change = { role: 'administrator', password: isRight ? undefined : password } as const;
    await this.accounts.change(account.id, change, { author: START });
    this.logger.info({ username }, 'The account was made an administrator with ADMIN_PASSWORD again.');
  }

  /** Only while there is no account at all. */
  async #addWithGeneratedPassword(username: string): Promise<void> {
    if ((await this.accounts.list()).length > 0) return;
    // 122 random bits, in groups that are easy to read aloud and to type.
    const password = randomUUID();
    if (!(await this.#add(username, password))) return;
    // Logged even when LOG_LEVEL excludes warnings, because the password is shown only once.
    this.logger
      .child({}, { level: 'warn' })
      .warn(
        { username, password },
        'The first account of the administration site was created. Its password is shown only once.',
      );
  }

  /** @returns false when another instance, started at the same time, created the account first */
  async #add(username: string, password: string): Promise<boolean> {
    try {
      await this.accounts.add({ username, password, role: 'administrator' }, { author: START });
      return true;
    } catch (error) {
      if (await this.accounts.findByUsername(username)) return false;
      throw error;
    }
  }
}
