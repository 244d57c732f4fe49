import { constants } from 'node:buffer';
import { BrokenRules, choice, integer, keeping, optional } from './broken-rules.js';
import { isPassword, isUsername, PASSWORD_RULE, USERNAME_RULE } from './credential-rules.js';
import { readPostgresUrls } from './postgres-url.js';
import * as rules from './setting-rules.js';

/** The settings of the service: read and checked once at start, and deeply frozen. */
export type Settings = Frozen<ReturnType<typeof toSettings>>;

type Frozen<Value> = Value extends object ? { readonly [Name in keyof Value]: Frozen<Value[Name]> } : Value;

/** Injects the `Settings`: `@Inject(SETTINGS) private readonly settings: Settings`. */
export const SETTINGS = Symbol('Settings');

export type Environment = Readonly<Record<string, string | undefined>>;

interface Variable {
  /** Parsed by `read` like a value that was set, so that no default can break a rule. '' means no value. */
  readonly default: string;
  /** The text in the documentation, where `default` does not express it. */
  readonly shownDefault?: string;
  readonly meaning: string;
  /** @throws {BrokenRules} */
  readonly read: (text: string) => unknown;
}

const VARIABLES = {
  HOST: {
    default: '127.0.0.1',
    meaning: 'The address to listen on; `0.0.0.0` or `::` for all.',
    read: rules.readHost,
  },
  PORT: {
    default: '3000',
    meaning: 'The port to listen on; `0` takes any free one.',
    read: integer(0, 65_535),
  },
  DATABASE_URL: {
    default: 'sqlite:data/posts.sqlite',
    meaning:
      'A SQLite file (its folder is made), or `postgres://user:password@host:port/database`, with `?sslmode=verify-full` for TLS; several hosts are comma-separated.',
    read: rules.readDatabase,
  },
  DATABASE_MIGRATE: {
    default: 'on',
    meaning: '`off`: the service never changes the schema; the command `migrate` brings it up to date.',
    read: rules.readSwitch,
  },
  DATABASE_REPLICA_URLS: {
    default: '',
    meaning: 'PostgreSQL only: read replicas, comma-separated.',
    read: readPostgresUrls,
  },
  DATABASE_POOL_SIZE: {
    default: '10',
    meaning: 'PostgreSQL only: the most connections that an instance opens to each server.',
    read: integer(1, rules.MAX_POOL_SIZE),
  },
  DATABASE_CONNECT_TIMEOUT: {
    default: '5',
    meaning: 'PostgreSQL only: seconds that a request waits for a connection before it gets a 503.',
    read: rules.seconds(1, 3_600),
  },
  DATABASE_STATEMENT_TIMEOUT: {
    default: '10',
    meaning: 'PostgreSQL only: seconds that a statement may take before it is cancelled, with a 503.',
    read: rules.seconds(1, 3_600),
  },
  BASE_PATH: {
    default: '',
    meaning: 'Puts everything under a prefix, such as `/blog`.',
    read: rules.readBasePath,
  },
  PUBLIC_URL: {
    default: '',
    meaning: 'The base URL of all links, prefix included; by default built from `Host` and `BASE_PATH`.',
    read: rules.readPublicUrl,
  },
  TRUST_PROXY: {
    default: '',
    meaning: 'How many proxies stand in front, or their IP addresses and CIDR ranges, comma-separated.',
    read: rules.readTrustProxy,
  },
  MAX_BODY_BYTES: {
    default: '67108864',
    meaning: 'The largest request body, after decompression; 64 MiB by default.',
    // A larger body could be received, but never converted to a string.
    read: integer(1, constants.MAX_STRING_LENGTH),
  },
  RATE_LIMIT: {
    default: 'off',
    meaning: 'Requests per minute and client.',
    read: rules.readRateLimit,
  },
  CORS_ORIGINS: {
    default: '',
    meaning: 'Origins whose pages may use the API, such as `https://app.example`, comma-separated.',
    read: rules.readCorsOrigins,
  },
  API_TOKENS: {
    default: '',
    meaning:
      'When set, POST, PUT and DELETE need one of them as a Bearer token; 16 characters or more each, comma-separated.',
    read: rules.readApiTokens,
  },
  ADMIN_USERNAME: {
    default: 'admin',
    meaning: 'The user name of the account that the first start creates.',
    read: keeping(isUsername, USERNAME_RULE),
  },
  ADMIN_PASSWORD: {
    default: '',
    shownDefault: 'made at first start and shown once in the log',
    meaning:
      'The password of that account, 12 characters or more; when set, every start resets the account to it.',
    read: optional(keeping(isPassword, PASSWORD_RULE)),
  },
  PASSWORD_HASH_MEMORY: {
    default: '128',
    meaning:
      'MiB of memory to hash one password (16 to 1024, a power of 2); more takes longer. At most two passwords are hashed at once.',
    read: rules.readHashMemory,
  },
  HISTORY_DAYS: {
    default: '365',
    meaning:
      'How many days the contents of replaced revisions and of deleted posts are kept; `0` means for ever.',
    read: integer(0, rules.MAX_HISTORY_DAYS, 'days'),
  },
  LOG_LEVEL: {
    default: 'info',
    meaning:
      'The least severe level that is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace`, or `silent`.',
    read: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  },
  LOG_FORMAT: {
    default: '',
    shownDefault: '`pretty` on a terminal, `json` elsewhere',
    meaning: '`pretty` for people, `json` for machines (one object a line).',
    read: optional(choice(['pretty', 'json'])),
  },
  SHUTDOWN_TIMEOUT: {
    default: '30',
    meaning: 'Seconds that running requests have to finish when the service stops.',
    read: rules.seconds(0, rules.MAX_TIMEOUT_SECONDS),
  },
} as const satisfies Record<string, Variable>;

type VariableName = keyof typeof VARIABLES;
type Values = { -readonly [Name in VariableName]: ReturnType<(typeof VARIABLES)[Name]['read']> };

/** The rows of the documentation, in Markdown; a test compares the README's table with them. */
export const SETTINGS_TABLE = Object.entries<Variable>(VARIABLES).map(([name, variable]) => ({
  name,
  default: variable.shownDefault ?? (variable.default === '' ? 'none' : `\`${variable.default}\``),
  meaning: variable.meaning,
}));

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
  const { values, faults } = readVariables(environment);
  // The values are valid one by one, but not together. (PUBLIC_URL may differ from BASE_PATH: a proxy may strip a
  // prefix.)
  if (values.DATABASE_URL?.kind === 'sqlite' && (values.DATABASE_REPLICA_URLS ?? []).length > 0) {
    faults.push(
      'DATABASE_REPLICA_URLS: needs a PostgreSQL DATABASE_URL, SQLite has no replicas; remove it or set DATABASE_URL',
    );
  }
  if (faults.length > 0) throw new SettingsError(faults);
  return freezeDeeply(toSettings(values as Values, isTerminal));
}

function toSettings(values: Values, isTerminal: boolean) {
  const { DATABASE_URL: url } = values;
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
  };
}

/** Variables with faults are left out of the values. */
function readVariables(environment: Environment): { values: Partial<Values>; faults: string[] } {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, variable] of Object.entries<Variable>(VARIABLES)) {
    try {
      values[name] = variable.read(environment[name] || variable.default);
    } catch (error) {
      if (!(error instanceof BrokenRules)) throw error;
      faults.push(...error.rules.map((rule) => `${name}: ${rule}`));
    }
  }
  return { values, faults };
}

function freezeDeeply<Value>(value: Value): Frozen<Value> {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) freezeDeeply(part);
    Object.freeze(value);
  }
  return value as Frozen<Value>;
}
