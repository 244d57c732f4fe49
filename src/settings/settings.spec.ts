import express from 'express';
import { type Environment, readSettings, type Settings, SETTINGS_TABLE, SettingsError } from './settings.js';

/** Part of every invalid value, so that a fault that quotes a value is detected. */
const MARK = 'zq7mark';
const TOKEN = 'abcdefghijklmnop';

const read = (environment: Environment, isTerminal = false): Settings =>
  readSettings(environment, { isTerminal });

function findError(environment: Environment): SettingsError | undefined {
  try {
    read(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
  return undefined;
}

const faultsOf = (environment: Environment) => findError(environment)?.faults ?? [];

const sqlite = (path: string): Partial<Settings> => ({ database: { kind: 'sqlite', path } });
const postgres = (url: string, replicaUrls: string[] = []): Partial<Settings> => ({
  database: {
    kind: 'postgres',
    url,
    replicaUrls,
    poolSize: 10,
    connectTimeoutMs: 5_000,
    statementTimeoutMs: 10_000,
  },
});
const admin = (username: string, password?: string): Partial<Settings> => ({
  admin: { username, password },
});

describe('readSettings', () => {
  const defaults: Settings = {
    host: '127.0.0.1',
    port: 3000,
    database: { kind: 'sqlite', path: 'data/posts.sqlite' },
    migratesDatabase: true,
    basePath: '',
    publicUrl: undefined,
    trustProxy: false,
    maxBodyBytes: 67_108_864,
    rateLimitPerMinute: undefined,
    corsOrigins: [],
    apiTokens: [],
    admin: { username: 'admin', password: undefined },
    passwordHashMemory: 134_217_728,
    historyDays: 365,
    logLevel: 'info',
    logFormat: 'json',
    shutdownTimeoutMs: 30_000,
  };

  it('has the defaults when nothing is set', () => {
    expect(read({})).toEqual(defaults);
  });

  it('treats an empty string as not set, for every variable', () => {
    expect(read(Object.fromEntries(SETTINGS_TABLE.map(({ name }) => [name, ''])))).toEqual(defaults);
  });

  it('ignores unknown variables', () => {
    expect(read({ PATH: '/bin', toString: 'x', __proto__: 'x' })).toEqual(defaults);
  });

  it.each([
    { isTerminal: true, set: undefined, logFormat: 'pretty' },
    { isTerminal: false, set: undefined, logFormat: 'json' },
    { isTerminal: true, set: 'json', logFormat: 'json' },
    { isTerminal: false, set: 'pretty', logFormat: 'pretty' },
  ])('logs as $logFormat when LOG_FORMAT is $set and isTerminal $isTerminal', (row) => {
    expect(read({ LOG_FORMAT: row.set }, row.isTerminal).logFormat).toBe(row.logFormat);
  });

  it.each<[Environment, Partial<Settings>]>([
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [{ HOST: '::' }, { host: '::' }],
    [{ HOST: 'fe80::1%eth0' }, { host: 'fe80::1%eth0' }],
    [{ HOST: 'localhost' }, { host: 'localhost' }],
    [{ HOST: 'posts-1.my_net.example' }, { host: 'posts-1.my_net.example' }],
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '65535' }, { port: 65_535 }],
    [{ DATABASE_URL: 'sqlite:posts.sqlite' }, sqlite('posts.sqlite')],
    [{ DATABASE_URL: 'sqlite:./a b/../pösts#1.db' }, sqlite('./a b/../pösts#1.db')],
    [{ DATABASE_URL: 'sqlite:/var/lib/posts.sqlite' }, sqlite('/var/lib/posts.sqlite')],
    [{ DATABASE_URL: 'sqlite:///var/lib/posts.sqlite' }, sqlite('/var/lib/posts.sqlite')],
    [{ DATABASE_URL: 'sqlite:////var/lib/posts.sqlite' }, sqlite('/var/lib/posts.sqlite')],
    [{ DATABASE_URL: 'SQLITE:posts%20.sqlite' }, sqlite('posts%20.sqlite')],
    [{ DATABASE_URL: 'postgres://u:p%40s@h:5432/db' }, postgres('postgres://u:p%40s@h:5432/db')],
    [{ DATABASE_URL: 'postgresql://h/db?sslmode=require' }, postgres('postgresql://h/db?sslmode=require')],
    [{ DATABASE_URL: 'postgres://u@[::1]/db' }, postgres('postgres://u@[::1]/db')],
    [
      { DATABASE_URL: 'postgres:///db?host=/var/run/postgresql' },
      postgres('postgres:///db?host=/var/run/postgresql'),
    ],
    [
      { DATABASE_URL: 'postgres://h/db', DATABASE_REPLICA_URLS: 'postgres://r1/db, postgres://r2/db' },
      postgres('postgres://h/db', ['postgres://r1/db', 'postgres://r2/db']),
    ],
    [{ BASE_PATH: '/' }, { basePath: '' }],
    [{ BASE_PATH: 'blog' }, { basePath: '/blog' }],
    [{ BASE_PATH: '/blog/' }, { basePath: '/blog' }],
    [{ BASE_PATH: '/a/B-1._~/c' }, { basePath: '/a/B-1._~/c' }],
    [{ PUBLIC_URL: 'https://example.com' }, { publicUrl: 'https://example.com' }],
    [{ PUBLIC_URL: 'HTTPS://EXAMPLE.com:443/Blog/' }, { publicUrl: 'https://example.com/Blog' }],
    [{ PUBLIC_URL: 'http://[::1]:8080/a/b//' }, { publicUrl: 'http://[::1]:8080/a/b' }],
    [{ PUBLIC_URL: 'https://exämple.com/ä' }, { publicUrl: 'https://xn--exmple-cua.com/%C3%A4' }],
    [
      { PUBLIC_URL: 'https://example.com/a', BASE_PATH: '/b' },
      { publicUrl: 'https://example.com/a', basePath: '/b' },
    ],
    [{ TRUST_PROXY: '0' }, { trustProxy: false }],
    [{ TRUST_PROXY: '1' }, { trustProxy: 1 }],
    [{ TRUST_PROXY: '10.0.0.1' }, { trustProxy: ['10.0.0.1'] }],
    [
      { TRUST_PROXY: '10.0.0.0/8, ::1 ,fd00::/8,::ffff:10.0.0.1' },
      { trustProxy: ['10.0.0.0/8', '::1', 'fd00::/8', '::ffff:10.0.0.1'] },
    ],
    [
      { TRUST_PROXY: '10.0.0.1/32,::1/128,128.0.0.0/1' },
      { trustProxy: ['10.0.0.1/32', '::1/128', '128.0.0.0/1'] },
    ],
    [{ MAX_BODY_BYTES: '1' }, { maxBodyBytes: 1 }],
    [{ RATE_LIMIT: 'off' }, { rateLimitPerMinute: undefined }],
    [{ RATE_LIMIT: '1' }, { rateLimitPerMinute: 1 }],
    [{ CORS_ORIGINS: 'https://app.example' }, { corsOrigins: ['https://app.example'] }],
    [
      {
        CORS_ORIGINS: 'HTTPS://App.Example:443,http://localhost:80, http://localhost:5173,http://[::1]:3000',
      },
      {
        corsOrigins: [
          'https://app.example',
          'http://localhost',
          'http://localhost:5173',
          'http://[::1]:3000',
        ],
      },
    ],
    [
      { CORS_ORIGINS: 'https://exämple.com,chrome-extension://ABCdef,capacitor://localhost' },
      { corsOrigins: ['https://xn--exmple-cua.com', 'chrome-extension://abcdef', 'capacitor://localhost'] },
    ],
    [{ API_TOKENS: TOKEN }, { apiTokens: [TOKEN] }],
    [{ API_TOKENS: `${TOKEN}, a.B-1_~+/234567890==` }, { apiTokens: [TOKEN, 'a.B-1_~+/234567890=='] }],
    [{ ADMIN_USERNAME: 'Zoë Ann' }, admin('Zoë Ann')],
    [{ ADMIN_USERNAME: '😀'.repeat(100) }, admin('😀'.repeat(100))],
    [{ ADMIN_PASSWORD: ' ten letters' }, admin('admin', ' ten letters')],
    [{ ADMIN_PASSWORD: '😀'.repeat(12) }, admin('admin', '😀'.repeat(12))],
    [{ ADMIN_PASSWORD: '😀'.repeat(1_024) }, admin('admin', '😀'.repeat(1_024))],
    [{ PASSWORD_HASH_MEMORY: '16' }, { passwordHashMemory: 16_777_216 }],
    [{ HISTORY_DAYS: '0' }, { historyDays: 0 }],
    [{ HISTORY_DAYS: '36500' }, { historyDays: 36_500 }],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
    [{ SHUTDOWN_TIMEOUT: '0' }, { shutdownTimeoutMs: 0 }],
    [{ SHUTDOWN_TIMEOUT: '2147483' }, { shutdownTimeoutMs: 2_147_483_000 }],
  ])('reads %j', (environment, expected) => {
    expect(read(environment)).toEqual({ ...defaults, ...expected });
  });

  it.each<[string, string[]]>([
    [
      'HOST',
      ['[::1]', 'localhost:3000', 'http://localhost', '256.1.1.1', '0', '*', '-a', 'a..b', 'a b', ' ::1'],
    ],
    ['PORT', ['-1', '65536', '03', '3e3', '0x10', '1.5', ' 80', '+80', 'http', 'NaN', '80,81', '٣']],
    [
      'DATABASE_URL',
      [MARK, `mysql://u:${MARK}@h/d`, `sqlite3:${MARK}`, ' sqlite:a.db', `/var/${MARK}.sqlite`],
    ],
    ['DATABASE_URL', ['sqlite:', 'sqlite::memory:', 'sqlite:///:memory:', `sqlite:file:${MARK}?mode=memory`]],
    [
      'DATABASE_URL',
      [`sqlite://${MARK}/a.db`, `sqlite:${MARK}/`, `sqlite:${MARK}/..`, 'sqlite:.', 'sqlite:/'],
    ],
    ['DATABASE_URL', [`sqlite:${MARK}.db?mode=ro`, `sqlite: ${MARK}.db`, `sqlite:${MARK}.db `, 'sqlite://']],
    [
      'DATABASE_URL',
      [`postgres:${MARK}`, `postgres:/${MARK}/d`, 'postgres://', 'postgres:///d', 'postgres://h/'],
    ],
    ['DATABASE_URL', [`postgres://u:${MARK}@h`, `postgres://u:${MARK}@h/a/b`, `postgres://u:${MARK}@h:x/d`]],
    [
      'DATABASE_URL',
      [`postgres://u:${MARK}#1@h/d`, `postgres://u:${MARK}/1@h/d`, `postgres://u:${MARK}?1@h/d`],
    ],
    [
      'DATABASE_URL',
      [`postgres://u:${MARK}%zz@h/d`, `postgres://u:${MARK} @h/d`, `postgres://u:${MARK}@h/d\n`],
    ],
    [
      'DATABASE_URL',
      [
        `postgres://h/d?target_session_attrs=any`,
        `postgres://h/d?sslmode=${MARK}`,
        'postgres://h/d?sslmode=verify-ca',
      ],
    ],
    ['DATABASE_POOL_SIZE', ['0', '-1', '1.5', '262144', MARK]],
    ['DATABASE_CONNECT_TIMEOUT', ['0', '5s', '3601', MARK]],
    ['DATABASE_STATEMENT_TIMEOUT', ['0', '1e3', '3601', MARK]],
    ['DATABASE_REPLICA_URLS', [`postgres://u:${MARK}@h/d,`, `sqlite:${MARK}`, `postgres://u:${MARK}@h`]],
    [
      'BASE_PATH',
      ['//', '//a', 'a//b', '/a/../b', '/.', '/a b', '/ä', '/a?b', '/a#b', '/%61', 'https://h/a', '/:a'],
    ],
    [
      'PUBLIC_URL',
      ['example.com', '/blog', `ftp://${MARK}`, `https:${MARK}`, `https:/${MARK}`, 'https://', 'https:///a'],
    ],
    [
      'PUBLIC_URL',
      [`https://u:${MARK}@h`, `https://${MARK}@h/`, `https://h/?${MARK}`, 'https://h/?', 'https://h/#'],
    ],
    [
      'PUBLIC_URL',
      [` https://${MARK}`, 'https://h/a b', 'https://h\\a', 'https://h:99999', 'https://h?', '*'],
    ],
    [
      'TRUST_PROXY',
      ['true', 'all', '*', '-1', '101', '01', '1.5', 'loopback', '10.0.0', '1,2', MARK, '10.0.0.1,'],
    ],
    [
      'TRUST_PROXY',
      ['0.0.0.0/0', '::/0', '10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0.0/255.0.0.0', '10.0.0.0/08'],
    ],
    ['TRUST_PROXY', ['fe80::1%eth0', '[::1]', '10.0.0.1:80', '010.0.0.1', ',', ' ']],
    ['MAX_BODY_BYTES', ['0', '-1', '64MiB', '1e6', '536870889', '9007199254740993', 'Infinity', MARK]],
    ['RATE_LIMIT', ['0', '-1', 'on', 'OFF', '1/s', '0.5', '1000000000000000']],
    [
      'CORS_ORIGINS',
      [
        '*',
        'null',
        'https://*.example.com',
        'https://h/',
        `https://h/${MARK}`,
        'h.example',
        '//h',
        'https://',
      ],
    ],
    [
      'CORS_ORIGINS',
      [`https://u:${MARK}@h`, 'https://h?', 'https://h#', 'https://h:99999', 'https://h\\', 'file:///a'],
    ],
    ['CORS_ORIGINS', ['https://h,', ',https://h', 'https://a https://b', `https://h,${MARK}`]],
    [
      'API_TOKENS',
      [`${MARK}12345678`, `${TOKEN},${MARK}`, `${MARK}${TOKEN}é`, `${MARK} ${TOKEN}`, `${MARK}=${TOKEN}`],
    ],
    [
      'API_TOKENS',
      [`${MARK}${TOKEN},${MARK}${TOKEN}`, `${TOKEN},,${TOKEN}2`, `${MARK}"${TOKEN}`, ' ', '='.repeat(20)],
    ],
    ['ADMIN_USERNAME', [' ', ` ${MARK}`, `${MARK}\n`, `${MARK}\u0007a`, MARK.repeat(15)]],
    ['ADMIN_USERNAME', [`${MARK}\u202E`, `${MARK}\u200B`, `${MARK}\uD83D`]],
    ['ADMIN_PASSWORD', [MARK, ' ', '😀'.repeat(11), '😀'.repeat(1_025), `${MARK.repeat(2)}\uD83D`]],
    ['PASSWORD_HASH_MEMORY', ['0', '8', '100', '2048', MARK]],
    ['HISTORY_DAYS', ['-1', '1.5', '36501', '1d', MARK]],
    ['LOG_LEVEL', ['INFO', 'verbose', ' info', MARK, 'toString']],
    ['LOG_FORMAT', ['JSON', 'text', MARK]],
    ['SHUTDOWN_TIMEOUT', ['-1', '1.5', '30s', '2147484', MARK]],
  ])('refuses each bad %s in %j', (name, texts) => {
    for (const text of texts) {
      const environment = { [name]: text };
      if (name === 'DATABASE_REPLICA_URLS') Object.assign(environment, { DATABASE_URL: 'postgres://h/d' });
      const faults = faultsOf(environment);
      const rule = new RegExp(`^${name}: (entry \\d+ )?(must|is empty)`);
      // The text is in the comparison so that a failure shows which one was accepted.
      expect({ text, refused: faults.length > 0 && faults.every((fault) => rule.test(fault)) }).toEqual({
        text,
        refused: true,
      });
      expect(faults.join('\n')).not.toContain(MARK);
    }
  });

  it.each<[Environment, string]>([
    [{ PORT: 'x' }, 'PORT: must be a whole number from 0 to 65535'],
    [{ RATE_LIMIT: '0' }, 'RATE_LIMIT: must be off or a whole number from 1 to 999999999999999'],
    [{ LOG_FORMAT: 'x' }, 'LOG_FORMAT: must be one of pretty, json'],
    [{ SHUTDOWN_TIMEOUT: 'x' }, 'SHUTDOWN_TIMEOUT: must be a whole number from 0 to 2147483 (seconds)'],
    [{ API_TOKENS: `${TOKEN},short` }, 'API_TOKENS: entry 2 must have at least 16 characters'],
    [{ API_TOKENS: `${TOKEN},${TOKEN}` }, 'API_TOKENS: must not have the same token twice'],
    [{ CORS_ORIGINS: '*' }, 'CORS_ORIGINS: entry 1 must be an exact origin; "*" is not supported'],
    [
      { DATABASE_URL: 'sqlite::memory:' },
      'DATABASE_URL: must name a file on disk (sqlite::memory: and file: URIs do not work: the reader and the writer are two connections and each would see another database)',
    ],
    [
      { DATABASE_REPLICA_URLS: 'postgres://r/db' },
      'DATABASE_REPLICA_URLS: needs a PostgreSQL DATABASE_URL, SQLite has no replicas; remove it or set DATABASE_URL',
    ],
  ])('explains what to correct for %j', (environment, fault) => {
    expect(faultsOf(environment)).toEqual([fault]);
  });

  const allWrong: Environment = {
    HOST: `http://${MARK}`,
    PORT: MARK,
    DATABASE_URL: `postgres://u:${MARK}@h`,
    DATABASE_REPLICA_URLS: `postgres://u:${MARK}@h,postgres://h/d,http://${MARK}`,
    DATABASE_POOL_SIZE: MARK,
    DATABASE_CONNECT_TIMEOUT: MARK,
    DATABASE_STATEMENT_TIMEOUT: MARK,
    BASE_PATH: `/${MARK}?`,
    PUBLIC_URL: `https://u:${MARK}@h`,
    TRUST_PROXY: MARK,
    MAX_BODY_BYTES: MARK,
    RATE_LIMIT: MARK,
    CORS_ORIGINS: `https://h/${MARK}`,
    API_TOKENS: MARK,
    DATABASE_MIGRATE: MARK,
    ADMIN_USERNAME: ` ${MARK}`,
    ADMIN_PASSWORD: MARK,
    PASSWORD_HASH_MEMORY: MARK,
    HISTORY_DAYS: MARK,
    LOG_LEVEL: MARK,
    LOG_FORMAT: MARK,
    SHUTDOWN_TIMEOUT: MARK,
  };

  it('reports the faults of all variables at once, in the order of the table', () => {
    const names = faultsOf(allWrong).map((fault) => fault.split(':')[0]);
    expect(names).toEqual(
      SETTINGS_TABLE.flatMap(({ name }) => (name === 'DATABASE_REPLICA_URLS' ? [name, name] : [name])),
    );
  });

  it('reports contradictions together with the faults of single variables', () => {
    expect(faultsOf({ PORT: 'x', DATABASE_REPLICA_URLS: 'postgres://r/db' })).toEqual([
      expect.stringMatching(/^PORT: /),
      expect.stringMatching(/^DATABASE_REPLICA_URLS: needs /),
    ]);
  });

  it('reports no fault of replicas when DATABASE_URL itself is wrong', () => {
    expect(faultsOf({ DATABASE_URL: 'x', DATABASE_REPLICA_URLS: 'postgres://r/db' })).toEqual([
      expect.stringMatching(/^DATABASE_URL: /),
    ]);
  });

  it('never shows a value, neither in the faults nor in the message, stack or cause', () => {
    const error = findError(allWrong);
    expect(error?.message).toBe(['The settings cannot be used:', ...faultsOf(allWrong)].join('\n  '));
    expect(JSON.stringify([error?.faults, error?.message, error?.stack])).not.toContain(MARK);
    expect(error?.cause).toBeUndefined();
  });

  it('returns deeply frozen settings', () => {
    const settings = read({
      DATABASE_URL: 'postgres://h/db',
      DATABASE_REPLICA_URLS: 'postgres://r/db',
      TRUST_PROXY: '10.0.0.1',
      CORS_ORIGINS: 'https://h',
      API_TOKENS: TOKEN,
    });
    const parts = [settings, ...Object.values(settings), Object.values(settings.database)].flat();
    for (const part of parts) expect(Object.isFrozen(part)).toBe(true);
    expect(() => Object.assign(settings.admin, { password: 'x' })).toThrow(TypeError);
    expect(() => Object.assign(settings.apiTokens, ['x'])).toThrow(TypeError);
  });

  it('returns values for TRUST_PROXY that Express accepts', () => {
    for (const text of [
      '1',
      '10.0.0.0/8,::1,fd00::/8,::ffff:10.0.0.1',
      '128.0.0.0/1,8000::/1,::ffff:a00:1/128',
    ]) {
      const { trustProxy } = read({ TRUST_PROXY: text });
      expect(() => express().set('trust proxy', trustProxy)).not.toThrow();
    }
  });
});

describe('SETTINGS_TABLE', () => {
  it('names every variable once, with a default and a meaning', () => {
    const names = SETTINGS_TABLE.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const row of SETTINGS_TABLE) {
      expect(row).toEqual({
        name: expect.stringMatching(/^[A-Z_]+$/),
        default: expect.stringMatching(/./),
        meaning: expect.stringMatching(/\.$/),
      });
    }
  });

  it('documents the real defaults: setting each of them changes nothing', () => {
    const literals = SETTINGS_TABLE.flatMap((row) => {
      const literal = /^`([^`]+)`$/.exec(row.default)?.[1];
      return literal === undefined ? [] : [[row.name, literal]];
    });
    expect(literals.length).toBeGreaterThan(5);
    expect(read(Object.fromEntries(literals))).toEqual(read({}));
  });
});
