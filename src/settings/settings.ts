import { BrokenRules } from './broken-rules.js';
import * as rules from './setting-rules.js';

/** The settings of the service: read and checked once at start, frozen through and through. */
export interface Settings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly database:
    | { readonly kind: 'sqlite'; readonly path: string }
    | {
        readonly kind: 'postgres';
        /** May name several hosts; see postgres-url.ts. */
        readonly url: string;
        readonly replicaUrls: readonly string[];
        /** Connections to each server. */
        readonly poolSize: number;
        /** How long a request waits for a connection: for a new one, or for one that is in use. */
        readonly connectTimeoutMs: number;
        readonly statementTimeoutMs: number;
      };
  /** Whether the schema is brought up to date at the start; otherwise the command `migrate` does it. */
  readonly migratesDatabase: boolean;
  /** '' or a path with a leading slash and none at the end. */
  readonly basePath: string;
  /** The `{base_url}` as clients see it, without a slash at the end. */
  readonly publicUrl: string | undefined;
  /** In the form Express takes as its `trust proxy`. */
  readonly trustProxy: false | number | readonly string[];
  readonly maxBodyBytes: number;
  /** Per client; undefined means no limit. */
  readonly rateLimitPerMinute: number | undefined;
  /** As a browser sends them in `Origin`, so they can be compared as strings. */
  readonly corsOrigins: readonly string[];
  readonly apiTokens: readonly string[];
  readonly admin: { readonly username: string; readonly password: string | undefined };
  /** What hashing a password takes, in bytes; a power of two. */
  readonly passwordHashMemory: number;
  /** How long it is kept what posts were; 0 means for ever. */
  readonly historyDays: number;
  readonly logLevel: (typeof rules.LOG_LEVELS)[number];
  readonly logFormat: (typeof rules.LOG_FORMATS)[number];
  readonly shutdownTimeoutMs: number;
}

/** Names and texts, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

interface Variable {
  /** Goes through `read` like a text that was set, so that no default can break a rule. '' stands for nothing. */
  readonly default: string;
  /** What the documentation shows where `default` does not say it. */
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
    read: rules.readPort,
  },
  DATABASE_URL: {
    default: 'sqlite:data/posts.sqlite',
    meaning:
      'A SQLite file (its folder is made), or `postgres://user:password@host:port/database`, with `?sslmode=verify-full` for TLS; several hosts are comma-separated.',
    read: rules.readDatabase,
  },
  DATABASE_MIGRATE: {
    default: 'on',
    meaning: '`off` leaves bringing the schema up to date to the command `migrate`.',
    read: rules.readSwitch,
  },
  DATABASE_REPLICA_URLS: {
    default: '',
    meaning: 'PostgreSQL only: read replicas, comma-separated.',
    read: rules.readPostgresUrls,
  },
  DATABASE_POOL_SIZE: {
    default: '10',
    meaning: 'PostgreSQL only: the most connections that an instance opens to each server.',
    read: rules.readPoolSize,
  },
  DATABASE_CONNECT_TIMEOUT: {
    default: '5',
    meaning: 'PostgreSQL only: seconds that a request waits for a connection before it gets a 503.',
    read: rules.readDatabaseTimeout,
  },
  DATABASE_STATEMENT_TIMEOUT: {
    default: '10',
    meaning: 'PostgreSQL only: seconds that a statement may take before it is cancelled, with a 503.',
    read: rules.readDatabaseTimeout,
  },
  BASE_PATH: {
    default: '',
    meaning: 'Puts everything under a prefix, such as `/blog`.',
    read: rules.readBasePath,
  },
  PUBLIC_URL: {
    default: '',
    meaning: 'The base of all links as clients see it, prefix included; without it, `Host` and `BASE_PATH`.',
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
    read: rules.readMaxBodyBytes,
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
    meaning: 'The user name of the account that is made at the first start.',
    read: rules.readUsername,
  },
  ADMIN_PASSWORD: {
    default: '',
    shownDefault: 'made at first start and shown once in the log',
    meaning:
      'The password of that account, 12 characters or more; when set, the account is given it at every start.',
    read: rules.readPassword,
  },
  PASSWORD_HASH_MEMORY: {
    default: '128',
    meaning:
      'MiB of memory that hashing a password takes (16 to 1024, a power of 2), and with it the time; two log-ins at most do so at once.',
    read: rules.readPasswordHashMemory,
  },
  HISTORY_DAYS: {
    default: '365',
    meaning:
      'How many days the contents of replaced revisions and of deleted posts are kept; `0` means for ever.',
    read: rules.readHistoryDays,
  },
  LOG_LEVEL: {
    default: 'info',
    meaning:
      'The least severe level that is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace`, or `silent`.',
    read: rules.readLogLevel,
  },
  LOG_FORMAT: {
    default: '',
    shownDefault: '`pretty` on a terminal, `json` elsewhere',
    meaning: '`pretty` for people, `json` for machines (one object a line).',
    read: rules.readLogFormat,
  },
  SHUTDOWN_TIMEOUT: {
    default: '30',
    meaning: 'Seconds that running requests have to finish when the service is told to stop.',
    read: rules.readShutdownTimeout,
  },
} as const satisfies Record<string, Variable>;

type VariableName = keyof typeof VARIABLES;
type Values = { -readonly [Name in VariableName]: ReturnType<(typeof VARIABLES)[Name]['read']> };

/** A row of the documentation: `default` and `meaning` are Markdown. */
interface SettingsTableRow {
  readonly name: string;
  readonly default: string;
  readonly meaning: string;
}

/** Every variable in the order of the documentation; the README's table is compared with it by a test. */
export const SETTINGS_TABLE: readonly SettingsTableRow[] = Object.entries<Variable>(VARIABLES).map(
  ([name, variable]) => ({
    name,
    default: variable.shownDefault ?? (variable.default === '' ? 'none' : `\`${variable.default}\``),
    meaning: variable.meaning,
  }),
);

/** The settings cannot be used. Neither `faults` nor the message holds any value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  /** @param faults what to put right, each "VARIABLE: rule" */
  constructor(readonly faults: readonly string[]) {
    super(['The settings cannot be used:', ...faults].join('\n  '));
  }
}

/**
 * Reads the settings from an environment; a variable that is an empty string counts as not set.
 *
 * @param isTerminal whether people read stdout, which decides the default of `LOG_FORMAT`
 * @throws {SettingsError} with every fault there is
 */
export function readSettings(environment: Environment, { isTerminal }: { isTerminal: boolean }): Settings {
  const { values, faults } = readVariables(environment);
  faults.push(...findContradictions(values));
  if (faults.length > 0 || !isComplete(values)) throw new SettingsError(faults);

  return freezeDeeply<Settings>({
    host: values.HOST,
    port: values.PORT,
    database:
      values.DATABASE_URL.kind === 'sqlite'
        ? values.DATABASE_URL
        : {
            ...values.DATABASE_URL,
            replicaUrls: values.DATABASE_REPLICA_URLS,
            poolSize: values.DATABASE_POOL_SIZE,
            connectTimeoutMs: values.DATABASE_CONNECT_TIMEOUT,
            statementTimeoutMs: values.DATABASE_STATEMENT_TIMEOUT,
          },
    migratesDatabase: values.DATABASE_MIGRATE,
    basePath: values.BASE_PATH,
    publicUrl: values.PUBLIC_URL,
    trustProxy: values.TRUST_PROXY,
    maxBodyBytes: values.MAX_BODY_BYTES,
    rateLimitPerMinute: values.RATE_LIMIT,
    corsOrigins: values.CORS_ORIGINS,
    apiTokens: values.API_TOKENS,
    admin: { username: values.ADMIN_USERNAME, password: values.ADMIN_PASSWORD },
    passwordHashMemory: values.PASSWORD_HASH_MEMORY,
    historyDays: values.HISTORY_DAYS,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT ?? (isTerminal ? 'pretty' : 'json'),
    shutdownTimeoutMs: values.SHUTDOWN_TIMEOUT,
  });
}

/** A variable with a fault is missing from the values. */
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

/** What is right by itself and wrong together. `PUBLIC_URL` may differ from `BASE_PATH`: a proxy may strip a prefix. */
function findContradictions({
  DATABASE_URL: database,
  DATABASE_REPLICA_URLS: replicas,
}: Partial<Values>): string[] {
  return database?.kind === 'sqlite' && replicas !== undefined && replicas.length > 0
    ? [
        'DATABASE_REPLICA_URLS: needs a PostgreSQL DATABASE_URL, SQLite has no replicas; remove it or set DATABASE_URL',
      ]
    : [];
}

function isComplete(values: Partial<Values>): values is Values {
  return Object.keys(VARIABLES).every((name) => name in values);
}

function freezeDeeply<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) freezeDeeply(part);
    Object.freeze(value);
  }
  return value;
}

/** Why the service cannot start, in a sentence for whoever starts it: it needs no stack. */
export class StartFault extends Error {
  override readonly name = 'StartFault';
}
