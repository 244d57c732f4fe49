import leven from 'leven';
import { constants } from 'node:buffer';
import { readPostgresUrls } from '../database/postgres/postgres-url.js';
import { BrokenRules, choice, integer, keeping, optional } from './broken-rules.js';
import { isPassword, isUsername, PASSWORD_RULE, USERNAME_RULE } from './credential-rules.js';
import * as rules from './setting-rules.js';

/** The settings of the service: read and checked once at start. */
export type Settings = Readonly<ReturnType<typeof toSettings>>;

/** Injects the `Settings`: `@Inject(SETTINGS) private readonly settings: Settings`. */
export const SETTINGS = Symbol('Settings');

export type Environment = Readonly<Record<string, string | undefined>>;

interface Variable {
  /** The name among the settings. */
  readonly as: string;
  /** Read like a value that was set, so that no default can break a rule. '' means no value. */
  readonly default: string;
  /** @throws {BrokenRules} */
  readonly read: (text: string) => unknown;
}

/** The README explains the variables, in this order; a test compares its table with this one. */
export const VARIABLES = {
  HOST: { as: 'host', default: '127.0.0.1', read: rules.readHost },
  PORT: { as: 'port', default: '3000', read: integer(0, 65_535) },
  DATABASE_URL: { as: 'databaseUrl', default: 'sqlite:data/posts.sqlite', read: rules.readDatabase },
  DATABASE_MIGRATE: { as: 'migratesDatabase', default: 'on', read: rules.readSwitch },
  DATABASE_REPLICA_URLS: { as: 'replicaUrls', default: '', read: readPostgresUrls },
  DATABASE_POOL_SIZE: { as: 'poolSize', default: '10', read: integer(1, rules.MAX_POOL_SIZE) },
  DATABASE_CONNECT_TIMEOUT: { as: 'connectTimeoutMs', default: '5', read: rules.seconds(1, 3_600) },
  DATABASE_STATEMENT_TIMEOUT: { as: 'statementTimeoutMs', default: '10', read: rules.seconds(1, 3_600) },
  BASE_PATH: { as: 'basePath', default: '', read: rules.readBasePath },
  PUBLIC_URL: { as: 'publicUrl', default: '', read: optional(rules.readPublicUrl) },
  TRUST_PROXY: { as: 'trustProxy', default: '', read: rules.readTrustProxy },
  ALLOWED_HOSTS: { as: 'allowedHosts', default: '', read: optional(rules.readAllowedHosts) },
  // A body above the maximum could be received, but never converted to a string.
  MAX_BODY_BYTES: { as: 'maxBodyBytes', default: '16777216', read: integer(1, constants.MAX_STRING_LENGTH) },
  RATE_LIMIT: { as: 'rateLimitPerMinute', default: 'off', read: rules.readRateLimit },
  CORS_ORIGINS: { as: 'corsOrigins', default: '', read: rules.readCorsOrigins },
  API_TOKENS: { as: 'apiTokens', default: '', read: rules.readApiTokens },
  ADMIN_USERNAME: { as: 'adminUsername', default: 'admin', read: keeping(isUsername, USERNAME_RULE) },
  ADMIN_PASSWORD: { as: 'adminPassword', default: '', read: optional(keeping(isPassword, PASSWORD_RULE)) },
  PASSWORD_HASH_MEMORY: { as: 'passwordHashMemory', default: '128', read: rules.readHashMemory },
  HISTORY_DAYS: { as: 'historyDays', default: '365', read: integer(0, rules.MAX_HISTORY_DAYS, 'days') },
  LOG_LEVEL: {
    as: 'logLevel',
    default: 'info',
    read: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  },
  LOG_FORMAT: { as: 'logFormat', default: '', read: optional(choice(['pretty', 'json'])) },
  SHUTDOWN_TIMEOUT: {
    as: 'shutdownTimeoutMs',
    default: '30',
    read: rules.seconds(0, rules.MAX_TIMEOUT_SECONDS),
  },
} as const satisfies Record<string, Variable>;

type VariableName = keyof typeof VARIABLES;
type Values = {
  [Name in VariableName as (typeof VARIABLES)[Name]['as']]: ReturnType<(typeof VARIABLES)[Name]['read']>;
};

/** The service cannot start. The message is a sentence for the operator, without a stack. */
export class StartFault extends Error {
  override readonly name = 'StartFault';
}

/** The settings cannot be used. Neither `faults` nor the message contains a value. */
export class SettingsError extends StartFault {
  /** @param faults what to correct, each "VARIABLE: rule" */
  constructor(readonly faults: readonly string[]) {
    super(['The settings cannot be used:', ...faults].join('\n  '));
  }
}

/**
 * Reads the settings from an environment; a variable with an empty string counts as not set.
 *
 * @param isTerminal whether stdout is a terminal, which decides the default of `LOG_FORMAT`
 * @throws {SettingsError} with all faults
 */
export function readSettings(environment: Environment, { isTerminal }: { isTerminal: boolean }): Settings {
  const read: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, variable] of Object.entries<Variable>(VARIABLES)) {
    try {
      read[variable.as] = variable.read(environment[name] || variable.default);
    } catch (error) {
      if (!(error instanceof BrokenRules)) throw error;
      faults.push(...error.rules.map((rule) => `${name}: ${rule}`));
    }
  }
  const values = read as Values;
  // PUBLIC_URL may differ from BASE_PATH: a proxy may strip a prefix.
  if (values.databaseUrl?.kind === 'sqlite' && values.replicaUrls?.length > 0) {
    faults.push(
      'DATABASE_REPLICA_URLS: needs a PostgreSQL DATABASE_URL, SQLite has no replicas; remove it or set DATABASE_URL',
    );
  }
  if (faults.length > 0) throw new SettingsError(faults);
  return Object.freeze(toSettings(values, isTerminal, Object.keys(environment)));
}

function toSettings(values: Values, isTerminal: boolean, names: readonly string[]) {
  const { databaseUrl, replicaUrls, poolSize, connectTimeoutMs, statementTimeoutMs, ...others } = values;
  const { adminUsername: username, adminPassword: password, ...settings } = others;
  const postgres = { replicaUrls, poolSize, connectTimeoutMs, statementTimeoutMs };
  const allowedHosts = settings.allowedHosts ?? defaultHosts(values);
  return {
    ...settings,
    database: databaseUrl.kind === 'sqlite' ? databaseUrl : { ...databaseUrl, ...postgres },
    admin: { username, password },
    allowedHosts,
    logFormat: settings.logFormat ?? (isTerminal ? 'pretty' : 'json'),
    /** Sentences about what is allowed, but probably not meant. */
    warnings: findWarnings(values, allowedHosts, names),
  };
}

function findWarnings(
  values: Values,
  allowedHosts: readonly string[] | undefined,
  names: readonly string[],
): readonly string[] {
  const warnings: string[] = [];
  if (values.apiTokens.length === 0 && !isLocal(values))
    warnings.push('Writes are open beyond this machine: set API_TOKENS.');
  if (allowedHosts === undefined)
    warnings.push('Requests for any host name are answered: set ALLOWED_HOSTS or PUBLIC_URL.');
  const publicHost = values.publicUrl === undefined ? undefined : new URL(values.publicUrl).hostname;
  const includesHost = (pattern: string): boolean =>
    pattern === publicHost || (pattern.startsWith('*.') && publicHost!.endsWith(pattern.slice(1)));
  if (publicHost !== undefined && !allowedHosts!.some(includesHost))
    warnings.push('ALLOWED_HOSTS lacks the host of PUBLIC_URL: requests for it are refused.');
  for (const name of names.filter((each) => !(each in VARIABLES))) {
    const meant = Object.keys(VARIABLES).find((variable) => isNearly(name, variable));
    if (meant) warnings.push(`${name} is not a setting of the service: is ${meant} meant?`);
  }
  return warnings;
}

/** Whether a name is probably a misspelled one: other programs use the same environment, so few letters may differ. */
function isNearly(name: string, variable: string): boolean {
  return leven(name.toUpperCase(), variable) <= (variable.length < 8 ? 1 : 2);
}

/** Whether the service is reachable from this machine only. */
function isLocal({ host, trustProxy }: Values): boolean {
  return rules.isLoopback(host) && trustProxy === false;
}

function defaultHosts(values: Values): readonly string[] | undefined {
  if (values.publicUrl !== undefined) return [new URL(values.publicUrl).hostname, 'localhost'];
  return isLocal(values) ? ['localhost'] : undefined;
}
