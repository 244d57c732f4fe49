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
  /** Read like a value that was set, so that no default can break a rule. '' means no value. */
  readonly default: string;
  /** @throws {BrokenRules} */
  readonly read: (text: string) => unknown;
}

/** The README explains the variables, in this order; a test compares its table with this one. */
export const VARIABLES = {
  HOST: { default: '127.0.0.1', read: rules.readHost },
  PORT: { default: '3000', read: integer(0, 65_535) },
  DATABASE_URL: { default: 'sqlite:data/posts.sqlite', read: rules.readDatabase },
  DATABASE_MIGRATE: { default: 'on', read: rules.readSwitch },
  DATABASE_REPLICA_URLS: { default: '', read: readPostgresUrls },
  DATABASE_POOL_SIZE: { default: '10', read: integer(1, rules.MAX_POOL_SIZE) },
  DATABASE_CONNECT_TIMEOUT: { default: '5', read: rules.seconds(1, 3_600) },
  DATABASE_STATEMENT_TIMEOUT: { default: '10', read: rules.seconds(1, 3_600) },
  BASE_PATH: { default: '', read: rules.readBasePath },
  PUBLIC_URL: { default: '', read: rules.readPublicUrl },
  TRUST_PROXY: { default: '', read: rules.readTrustProxy },
  ALLOWED_HOSTS: { default: '', read: rules.readAllowedHosts },
  // A body above the maximum could be received, but never converted to a string.
  MAX_BODY_BYTES: { default: '16777216', read: integer(1, constants.MAX_STRING_LENGTH) },
  RATE_LIMIT: { default: 'off', read: rules.readRateLimit },
  CORS_ORIGINS: { default: '', read: rules.readCorsOrigins },
  API_TOKENS: { default: '', read: rules.readApiTokens },
  ADMIN_USERNAME: { default: 'admin', read: keeping(isUsername, USERNAME_RULE) },
  ADMIN_PASSWORD: { default: '', read: optional(keeping(isPassword, PASSWORD_RULE)) },
  PASSWORD_HASH_MEMORY: { default: '128', read: rules.readHashMemory },
  HISTORY_DAYS: { default: '365', read: integer(0, rules.MAX_HISTORY_DAYS, 'days') },
  LOG_LEVEL: {
    default: 'info',
    read: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  },
  LOG_FORMAT: { default: '', read: optional(choice(['pretty', 'json'])) },
  SHUTDOWN_TIMEOUT: { default: '30', read: rules.seconds(0, rules.MAX_TIMEOUT_SECONDS) },
} as const satisfies Record<string, Variable>;

type VariableName = keyof typeof VARIABLES;
type Values = { -readonly [Name in VariableName]: ReturnType<(typeof VARIABLES)[Name]['read']> };

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
  const values: Partial<Record<VariableName, unknown>> = {};
  const faults: string[] = [];
  for (const [name, variable] of Object.entries(VARIABLES) as [VariableName, Variable][]) {
    try {
      values[name] = variable.read(environment[name] || variable.default);
    } catch (error) {
      if (!(error instanceof BrokenRules)) throw error;
      faults.push(...error.rules.map((rule) => `${name}: ${rule}`));
    }
  }
  const { DATABASE_URL: database, DATABASE_REPLICA_URLS: replicas } = values as Partial<Values>;
  // PUBLIC_URL may differ from BASE_PATH: a proxy may strip a prefix.
  if (database?.kind === 'sqlite' && replicas && replicas.length > 0) {
    faults.push(
      'DATABASE_REPLICA_URLS: needs a PostgreSQL DATABASE_URL, SQLite has no replicas; remove it or set DATABASE_URL',
    );
  }
  if (faults.length > 0) throw new SettingsError(faults);
  return Object.freeze(toSettings(values as Values, isTerminal, Object.keys(environment)));
}

function toSettings(values: Values, isTerminal: boolean, names: readonly string[]) {
  const { DATABASE_URL: url } = values;
  const allowedHosts = values.ALLOWED_HOSTS ?? defaultHosts(values);
  return {
    host: values.HOST,
    port: values.PORT,
    database:
      url.kind === 'sqlite'
        ? url
        : {
            /** May name several hosts; see postgres-url.ts. */
            ...url,
            replicaUrls: values.DATABASE_REPLICA_URLS,
            poolSize: values.DATABASE_POOL_SIZE,
            connectTimeoutMs: values.DATABASE_CONNECT_TIMEOUT,
            statementTimeoutMs: values.DATABASE_STATEMENT_TIMEOUT,
          },
    migratesDatabase: values.DATABASE_MIGRATE,
    /** '' or a path with a leading slash and without a trailing slash. */
    basePath: values.BASE_PATH,
    /** The `{base_url}` as clients see it, without a trailing slash. */
    publicUrl: values.PUBLIC_URL,
    /** In the form Express takes as its `trust proxy`. */
    trustProxy: values.TRUST_PROXY,
    /** As in `hostname` of a URL, or after `*.`; undefined means any host, `localhost` each name of loopback. */
    allowedHosts,
    maxBodyBytes: values.MAX_BODY_BYTES,
    /** Per client; undefined means no limit. */
    rateLimitPerMinute: values.RATE_LIMIT,
    /** As a browser sends them in `Origin`, so they can be compared as strings. */
    corsOrigins: values.CORS_ORIGINS,
    apiTokens: values.API_TOKENS,
    admin: { username: values.ADMIN_USERNAME, password: values.ADMIN_PASSWORD },
    /** In bytes. */
    passwordHashMemory: values.PASSWORD_HASH_MEMORY,
    historyDays: values.HISTORY_DAYS,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT ?? (isTerminal ? 'pretty' : 'json'),
    shutdownTimeoutMs: values.SHUTDOWN_TIMEOUT,
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
  if (values.API_TOKENS.length === 0 && !isLocal(values))
    warnings.push('Writes are open beyond this machine: set API_TOKENS.');
  if (allowedHosts === undefined)
    warnings.push('Requests for any host name are answered: set ALLOWED_HOSTS or PUBLIC_URL.');
  const publicHost = values.PUBLIC_URL === undefined ? undefined : new URL(values.PUBLIC_URL).hostname;
  const includesHost = (pattern: string): boolean =>
    pattern === publicHost || (pattern.startsWith('*.') && publicHost!.endsWith(pattern.slice(1)));
  if (publicHost !== undefined && !allowedHosts!.some(includesHost))
    warnings.push('ALLOWED_HOSTS lacks the host of PUBLIC_URL: requests for it are refused.');
  for (const name of names.filter((each) => !(each in VARIABLES))) {
    const meant = Object.keys(VARIABLES).find((variable) => lettersOf(variable) === lettersOf(name));
    if (meant) warnings.push(`${name} is not a setting of the service: is ${meant} meant?`);
  }
  return warnings;
}

/** Equal for a name and most of its misspellings: other case, order, number or separation of letters, no S at the end. */
function lettersOf(name: string): string {
  const letters = name.toUpperCase().replace(/S$/, '').replaceAll('_', '');
  return [...new Set(letters)].toSorted().join('');
}

/** Whether the service is reachable from this machine only. */
function isLocal({ HOST, TRUST_PROXY }: Values): boolean {
  return rules.isLoopback(HOST) && TRUST_PROXY === false;
}

function defaultHosts(values: Values): readonly string[] | undefined {
  if (values.PUBLIC_URL !== undefined) return [new URL(values.PUBLIC_URL).hostname, 'localhost'];
  return isLocal(values) ? ['localhost'] : undefined;
}
