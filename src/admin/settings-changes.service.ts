import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { AuditService } from '../history/audit.service.js';
import { LOGGER } from '../logging/logger.js';
import { type Settings, SETTINGS } from '../settings/settings.js';
import { SharedValue } from './shared-value.entity.js';

/** Where the settings of the last start are stored. They contain no secret. */
const LAST = 'settings-of-last-start';

/**
 * Settings come from the environment, so they change between two starts. Each start compares them with the last one and
 * records the names of those that differ in the change log.
 */
@Injectable()
export class SettingsChanges implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditService,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const values = recorded(this.settings);
    try {
      const stored = await this.database.reader.manager.findOneBy(SharedValue, { name: LAST });
      if (stored?.value === JSON.stringify(values)) return;
      await this.database.write(async (transaction) => {
        const { manager } = transaction;
        const last = await manager.findOneBy(SharedValue, { name: LAST });
        await manager.upsert(SharedValue, { name: LAST, value: JSON.stringify(values) }, ['name']);
        if (!last) return;
        const before = JSON.parse(last.value) as Record<string, unknown>;
        const detail = Object.keys(values)
          .filter((name) => before[name] !== values[name])
          .join(', ');
        const author = { kind: 'command', name: 'start' } as const;
        if (detail !== '')
          await this.audit.record(transaction, { action: 'settings_changed', author, detail });
      });
    } catch (err) {
      // A service whose database accepts no writes still serves reads.
      this.logger.warn({ err }, 'Changes of the settings could not be recorded.');
    }
  }
}

/**
 * The settings that all instances share, and that say who may do what. A new ADMIN_PASSWORD is recorded as a change of
 * the password.
 */
function recorded(settings: Settings): Readonly<Record<string, string>> {
  const { apiTokens, admin } = settings;
  const values = {
    ADMIN_USERNAME: admin.username,
    API_TOKENS: hash('sha256', JSON.stringify(apiTokens)),
    BASE_PATH: settings.basePath,
    CORS_ORIGINS: settings.corsOrigins,
    HISTORY_DAYS: settings.historyDays,
    MAX_BODY_BYTES: settings.maxBodyBytes,
    PASSWORD_HASH_MEMORY: settings.passwordHashMemory,
    PUBLIC_URL: settings.publicUrl ?? null,
    RATE_LIMIT: settings.rateLimitPerMinute ?? null,
    TRUST_PROXY: settings.trustProxy,
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));
}
