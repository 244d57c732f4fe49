import { constants } from 'node:buffer';
import { BrokenRule, choice, integer, keeping, optional } from './broken-rules.js';
import { editDistance } from './edit-distance.js';
import { isPassword, isUsername, PASSWORD_RULE, USERNAME_RULE } from './credential-rules.js';
import { ignoredParameters } from './postgres-url.js';
import * as rules from './setting-rules.js';

/** The settings of the service: read and checked once at start. docs/operate/settings.md explains each variable. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly database: SqliteSettings | PostgresSettings;
  readonly migratesDatabase: boolean;
  /** Starts with a slash and does not end with one; '' without a prefix. */
  readonly basePath: string;
  /** Without a slash at its end. */
  readonly publicUrl: string | undefined;
  /** How many proxies stand in front, or their addresses and ranges. */
  readonly trustProxy: false | number | string[];
  /** As the `hostname` of a URL has them; undefined when all hosts are allowed. */
  readonly allowedHosts: readonly string[] | undefined;
  readonly maxBodyBytes: number;
  /** Undefined without a limit. */
  readonly rateLimitPerMinute: number | undefined;
  readonly corsOrigins: string[];
  /** Empty when writing needs no token. */
  readonly apiTokens: readonly string[];
  /** The name and the password of the account that the first start creates. */
  readonly admin: { readonly username: string; readonly password: string | undefined };
  /** In bytes. */
  readonly passwordHashMemory: number;
  /** 0 keeps the history for ever. */
  readonly historyDays: number;
  readonly logLevel: (typeof LEVELS)[number];
  readonly logFormat: (typeof FORMATS)[number];
  readonly shutdownDelayMs: number;
  readonly shutdownTimeoutMs: number;
  /** Sentences about what is allowed, but probably not meant. */
  readonly warnings: readonly string[];
}

interface SqliteSettings {
  readonly kind: 'sqlite';
  /** The path of the database file. */
  readonly path: string;
}

interface PostgresSettings {
  readonly kind: 'postgres';
  readonly url: string;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
}

/** Injects the `Settings`: `@Inject(SETTINGS) private readonly settings: Settings`. */
export const SETTINGS = Symbol('Settings');

export type Environment = Readonly<Record<string, string | undefined>>;

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const FORMATS = ['pretty', 'json'] as const;

/**
 * The name of each variable among the settings, its default, and its rule, which throws {@link BrokenRule}. A default is read
 * like a value that was set, so that it cannot break the rule; '' means no value. docs/operate/settings.md explains the
 * variables in this order; a test compares its table with this one.
 */
export const VARIABLES = {
  HOST: ['host', '127.0.0.1', rules.readHost],
  PORT: ['port', '3000', integer(0, 65_535)],
  DATABASE_URL: ['databaseUrl', 'sqlite:data/posts.sqlite', rules.readDatabase],
  DATABASE_MIGRATE: ['migratesDatabase', 'on', rules.readSwitch],
  // An export holds a connection for its whole time; at most half of them are for exports.
  DATABASE_POOL_SIZE: ['poolSize', '10', integer(2, rules.MAX_POOL_SIZE)],
  DATABASE_CONNECT_TIMEOUT: ['connectTimeoutMs', '5', rules.seconds(1, 3_600)],
  DATABASE_STATEMENT_TIMEOUT: ['statementTimeoutMs', '10', rules.seconds(1, 3_600)],
  BASE_PATH: ['basePath', '', rules.readBasePath],
  PUBLIC_URL: ['publicUrl', '', optional(rules.readPublicUrl)],
  TRUST_PROXY: ['trustProxy', '', rules.readTrustProxy],
  ALLOWED_HOSTS: ['allowedHosts', '', optional(rules.readAllowedHosts)],
  // A body above the maximum could be received, but never converted to a string.
  MAX_BODY_BYTES: ['maxBodyBytes', '16777216', integer(1, constants.MAX_STRING_LENGTH)],
  RATE_LIMIT: ['rateLimitPerMinute', 'off', rules.readRateLimit],
  CORS_ORIGINS: ['corsOrigins', '', rules.readCorsOrigins],
  API_TOKENS: ['apiTokens', '', rules.readApiTokens],
  ADMIN_USERNAME: ['adminUsername', 'admin', keeping(isUsername, USERNAME_RULE)],
  ADMIN_PASSWORD: ['adminPassword', '', optional(keeping(isPassword, PASSWORD_RULE))],
  PASSWORD_HASH_MEMORY: ['passwordHashMemory', '128', rules.readHashMemory],
  HISTORY_DAYS: ['historyDays', '365', integer(0, rules.MAX_HISTORY_DAYS, 'days')],
  LOG_LEVEL: ['logLevel', 'info', choice(LEVELS)],
  LOG_FORMAT: ['logFormat', '', optional(choice(FORMATS))],
  SHUTDOWN_DELAY: ['shutdownDelayMs', '0', rules.seconds(0, rules.MAX_TIMEOUT_SECONDS)],
  SHUTDOWN_TIMEOUT: ['shutdownTimeoutMs', '30', rules.seconds(1, rules.MAX_TIMEOUT_SECONDS)],
} as const satisfies Readonly<Record<string, readonly [string, string, (text: string) => unknown]>>;

/** Variables that name a file with the value, such as a secret of Docker or Kubernetes, in place of the value. */
export const FILE_VARIABLES = {
  DATABASE_URL_FILE: 'DATABASE_URL',
  ADMIN_PASSWORD_FILE: 'ADMIN_PASSWORD',
  API_TOKENS_FILE: 'API_TOKENS',
} as const satisfies Readonly<Record<string, keyof typeof VARIABLES>>;

type Variables = typeof VARIABLES;
type Values = {
  [Name in keyof Variables as Variables[Name][0]]: ReturnType<Variables[Name][2]>;
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

interface Source {
  /** Whether stdout is a terminal, which decides the default of `LOG_FORMAT`. */
  readonly isTerminal: boolean;
  /** Those of the files from which a part of the environment was read. */
  readonly faults?: readonly string[];
}

/**
 * Reads the settings from an environment; a variable with an empty string counts as not set.
 *
 * @throws {SettingsError} with all faults
 */
export function readSettings(environment: Environment, source: Source): Settings {
  const values = {} as Values;
  const faults = [...(source.faults ?? [])];
  for (const [name, [as, byDefault, read]] of Object.entries(VARIABLES)) {
    try {
      Object.assign(values, { [as]: read(environment[name] || byDefault) });
    } catch (error) {
      if (!(error instanceof BrokenRule)) throw error;
      faults.push(`${name}: ${error.message}`);
    }
  }
  if (faults.length > 0) throw new SettingsError(faults);
  return Object.freeze(toSettings(values, source.isTerminal, misspeltIn(environment)));
}

function toSettings(values: Values, isTerminal: boolean, misspelt: readonly string[]): Settings {
  const { databaseUrl, poolSize, connectTimeoutMs, statementTimeoutMs } = values;
  const postgres = { poolSize, connectTimeoutMs, statementTimeoutMs };
  const allowedHosts = values.allowedHosts ?? defaultHosts(values);
  return {
    host: values.host,
    port: values.port,
    database: databaseUrl.kind === 'sqlite' ? databaseUrl : { ...databaseUrl, ...postgres },
    migratesDatabase: values.migratesDatabase,
    basePath: values.basePath,
    publicUrl: values.publicUrl,
    trustProxy: values.trustProxy,
    allowedHosts,
    maxBodyBytes: values.maxBodyBytes,
    rateLimitPerMinute: values.rateLimitPerMinute,
    corsOrigins: values.corsOrigins,
    apiTokens: values.apiTokens,
    admin: { username: values.adminUsername, password: values.adminPassword },
    passwordHashMemory: values.passwordHashMemory,
    historyDays: values.historyDays,
    logLevel: values.logLevel,
    logFormat: values.logFormat ?? (isTerminal ? 'pretty' : 'json'),
    shutdownDelayMs: values.shutdownDelayMs,
    shutdownTimeoutMs: values.shutdownTimeoutMs,
    warnings: [...misspelt, ...findWarnings(values, allowedHosts)],
  };
}

function findWarnings(values: Values, allowedHosts: readonly string[] | undefined): readonly string[] {
  const warnings: string[] = [];
  if (values.apiTokens.length === 0 && !isLocal(values))
    warnings.push('Writes are open beyond this machine: set API_TOKENS.');
  if (allowedHosts === undefined)
    warnings.push('Requests for any host name are answered: set ALLOWED_HOSTS or PUBLIC_URL.');
  if (values.databaseUrl.kind === 'postgres') warnings.push(...ignoredParameters(values.databaseUrl.url));
  return warnings;
}

/** Shorter names, such as PORT, are too close to those of other programs. */
const MIN_MISSPELT_LENGTH = 8;
const MAX_MISSPELT_DISTANCE = 2;

/**
 * Variables whose names are nearly those of a setting (API_TOKEN in place of API_TOKENS leaves writes open), or that name a
 * file for a setting that is not read from one.
 */
function misspeltIn(environment: Environment): string[] {
  const settings = [...Object.keys(VARIABLES), ...Object.keys(FILE_VARIABLES)];
  const distinct = settings.filter((each) => each.length >= MIN_MISSPELT_LENGTH);
  const warnings: string[] = [];
  for (const [name, text] of Object.entries(environment)) {
    if (!text || name.length < MIN_MISSPELT_LENGTH || settings.includes(name)) continue;
    const unread = distinct.find((each) => name.toUpperCase() === `${each}_FILE`);
    const meant = distinct.find((each) => editDistance(each, name.toUpperCase()) <= MAX_MISSPELT_DISTANCE);
    if (meant !== undefined) warnings.push(`${name} is no setting: did you mean ${meant}?`);
    else if (unread !== undefined)
      warnings.push(`${name} is no setting: set ${unread}, which is not read from a file.`);
  }
  return warnings;
}

/** Whether the service is reachable from this machine only. */
function isLocal({ host, trustProxy }: Values): boolean {
  return rules.isLoopback(host) && trustProxy === false;
}

function defaultHosts(values: Values): readonly string[] | undefined {
  if (values.publicUrl !== undefined) return [new URL(values.publicUrl).hostname, 'localhost'];
  return isLocal(values) ? ['localhost'] : undefined;
}
