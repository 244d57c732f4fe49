import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Author } from '../http/request/author.js';
import { LOGGER } from '../logging/logger.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { UsernameTaken } from './accounts.problems.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { generatePassword } from './generated-password.js';
import { PasswordHasher } from './password-hasher.js';

const START: Author = { kind: 'command', name: 'start' };

/** Makes the first administrator, with ADMIN_PASSWORD or a password that it generates. */
@Injectable()
export class FirstAccountService implements OnModuleInit, OnModuleDestroy {
  #made: Promise<string | undefined> = Promise.resolve(undefined);

  constructor(
    private readonly repository: AccountsRepository,
    private readonly accounts: AccountsService,
    private readonly hasher: PasswordHasher,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    const { username, password } = this.settings.admin;
    if (password !== undefined) {
      await this.#give(username, password);
    } else if (this.logger.isLevelEnabled('fatal')) {
      // Without a log there would be nowhere to show a password. To hash it takes half a second, for which who logs in
      // waits, and the service does not.
      this.#made = this.#makeFirst(username).catch((error: unknown) => {
        this.logger.error({ err: error }, 'No account could be made; the next start tries again.');
        return undefined;
      });
    }
  }

  /** The database is closed after that. */
  async onModuleDestroy(): Promise<void> {
    await this.#made;
  }

  /** Resolves when the account is there, with the password that was generated for it. */
  whenMade(): Promise<string | undefined> {
    return this.#made;
  }

  /** An account that was disabled stays so: whoever did that may have had to. */
  async #give(username: string, password: string): Promise<void> {
    const account = await this.accounts.findByUsername(username);
    if (!account) {
      if (await this.#add(username, password)) this.logger.info({ username }, 'The account was made.');
    } else if (!(await this.hasher.verify(password, account.passwordHash))) {
      await this.accounts.change(account.id, { password, role: 'administrator' }, START);
      this.logger.info({ username }, 'The account was given the password of ADMIN_PASSWORD.');
    } else if (account.role !== 'administrator') {
      await this.accounts.change(account.id, { role: 'administrator' }, START);
      this.logger.info({ username }, 'The account of ADMIN_USERNAME was made an administrator again.');
    }
  }

  async #makeFirst(username: string): Promise<string | undefined> {
    if (await this.repository.isAny()) return undefined;
    const password = generatePassword();
    if (!(await this.#add(username, password))) return undefined;
    // Also where LOG_LEVEL leaves warnings out: it is not shown again.
    this.logger
      .child({}, { level: 'warn' })
      .warn(
        { username, password },
        'An account for the administration site was made. Its password is shown this once.',
      );
    return password;
  }

  /** @returns false when another instance, started at the same time, was faster */
  async #add(username: string, password: string): Promise<boolean> {
    try {
      await this.accounts.add({ username, password, role: 'administrator' }, START);
      return true;
    } catch (error) {
      if (error instanceof UsernameTaken) return false;
      throw error;
    }
  }
}
