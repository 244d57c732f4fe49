import { readFileSync } from 'node:fs';
import { isAllowedHost } from './setting-rules.js';
import {
  type Environment,
  FILE_VARIABLES,
  readSettings,
  type Settings,
  SettingsError,
  VARIABLES,
} from './settings.js';

/** Part of invalid values, so that a fault that quotes a value is detected. */
const MARK = 'zq7mark';
const TOKEN = 'abcdefghijklmnop';
const UNICODE_100 = '😀'.repeat(100);

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

/** The faults, after a check that the error does not reveal a value. */
function faultsOf(environment: Environment): readonly string[] {
  const error = findError(environment);
  expect(JSON.stringify([error?.message, error?.stack, error?.cause])).not.toContain(MARK);
  return error?.faults ?? [];
}

describe('readSettings', () => {
  // The test of docs/operate/settings.md below has the defaults.
  it('has the defaults when nothing is set, an empty variable counting as not set', () => {
    const absent = { publicUrl: undefined, corsOrigins: [], rateLimitPerMinute: undefined, warnings: [] };
    expect(read({})).toMatchObject({ ...absent, trustProxy: false, shutdownTimeoutMs: 30_000 });
    const empty = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, '']));
    for (const others of [empty, { PATH: '/bin', toString: 'x', __proto__: 'x' }])
      expect(read(others)).toEqual(read({}));
  });

  it.each([
    [true, undefined, 'pretty'],
    [false, undefined, 'json'],
    [true, 'json', 'json'],
    [false, 'pretty', 'pretty'],
  ])('on a terminal (%s), with LOG_FORMAT %s, logs as %s', (isTerminal, LOG_FORMAT, logFormat) => {
    expect(read({ LOG_FORMAT }, isTerminal).logFormat).toBe(logFormat);
  });

  it.each<[Environment, object]>([
    [{ HOST: 'fe80::1%eth0' }, { host: 'fe80::1%eth0' }],
    [{ BASE_PATH: 'blog' }, { basePath: '/blog' }],
    [{ BASE_PATH: '/a/B-1._~/c' }, { basePath: '/a/B-1._~/c' }],
    [{ PUBLIC_URL: 'HTTPS://EXAMPLE.com:443/Blog/' }, { publicUrl: 'https://example.com/Blog' }],
    [{ PUBLIC_URL: 'https://exämple.com/ä' }, { publicUrl: 'https://xn--exmple-cua.com/%C3%A4' }],
    [{ TRUST_PROXY: '10.0.0.0/8, ::1' }, { trustProxy: ['10.0.0.0/8', '::1'] }],
    [{ ALLOWED_HOSTS: 'A.Example, *.b.org' }, { allowedHosts: ['a.example', '*.b.org'] }],
    [{ ALLOWED_HOSTS: '127.0.0.1,[::1],::2' }, { allowedHosts: ['127.0.0.1', '[::1]', '[::2]'] }],
    [{ CORS_ORIGINS: 'HTTPS://A.B:443, http://[::1]:3' }, { corsOrigins: ['https://a.b', 'http://[::1]:3'] }],
    [{ CORS_ORIGINS: 'chrome-extension://ABC' }, { corsOrigins: ['chrome-extension://abc'] }],
    [{ API_TOKENS: `${TOKEN}, a.B-1_~+/234567890==` }, { apiTokens: [TOKEN, 'a.B-1_~+/234567890=='] }],
    [{ ADMIN_USERNAME: UNICODE_100 }, { admin: { username: UNICODE_100 } }],
    [{ ADMIN_PASSWORD: '😀'.repeat(12) }, { admin: { password: '😀'.repeat(12) } }],
    [{ SHUTDOWN_TIMEOUT: '2147483' }, { shutdownTimeoutMs: 2_147_483_000 }],
  ])('reads %j', (environment, settings) => expect(read(environment)).toMatchObject(settings));

  it.each([
    ['sqlite:./a b/../pösts#1.db', './a b/../pösts#1.db'],
    ['sqlite:///var/lib/posts.sqlite', '/var/lib/posts.sqlite'],
    ['SQLITE:posts%20.sqlite', 'posts%20.sqlite'],
  ])('reads the file of DATABASE_URL %s', (url, path) => {
    expect(read({ DATABASE_URL: url }).database).toEqual({ kind: 'sqlite', path });
  });

  it('reads a PostgreSQL database with its limits', () => {
    const url = 'postgres://u:p%40s@[::1]/db';
    const limits = { poolSize: 10, connectTimeoutMs: 5_000, statementTimeoutMs: 10_000 };
    expect(read({ DATABASE_URL: url }).database).toEqual({ kind: 'postgres', url, ...limits });
  });

  it.each([
    ['HOST', ['[::1]', 'localhost:3000', 'http://localhost', '256.1.1.1', '*', '-a', 'a..b', ' ::1']],
    ['PORT', ['-1', '65536', '03', '3e3', '0x10', '1.5', ' 80', '+80', '٣']],
    ['DATABASE_URL', [MARK, `mysql://u:${MARK}@h/d`, 'sqlite:', `sqlite:${MARK}/..`, `sqlite: ${MARK}`]],
    ['DATABASE_URL', ['sqlite:///:memory:', `sqlite:file:${MARK}`, `sqlite:${MARK}?a`, `sqlite://${MARK}`]],
    ['DATABASE_URL', [`sqlite:${MARK}/`, `postgres:/${MARK}/d`, 'postgres:///d', `postgres://u:${MARK}@h`]],
    ['DATABASE_URL', [`postgres://${MARK}#1@h/d`, `postgres://${MARK}%zz@h/d`, `postgres://${MARK} @h/d`]],
    ['DATABASE_URL', [`postgres://h/d?sslmode=${MARK}`, `postgres://h/d?sslmod=${MARK}`]],
    ['DATABASE_URL', ['postgres://a,b/d', 'postgres://a:1,b:2/d', 'postgres://h/d?sslmode=verify-ca']],
    ['DATABASE_MIGRATE', ['true', MARK]],
    ['DATABASE_POOL_SIZE', ['1', '262144']],
    ['DATABASE_CONNECT_TIMEOUT', ['0', '3601']],
    ['DATABASE_STATEMENT_TIMEOUT', ['0', '3601']],
    ['BASE_PATH', ['//', 'a//b', '/a/../b', '/.', '/a b', '/ä', '/a?b', '/%61', 'https://h/a']],
    ['PUBLIC_URL', ['example.com', `ftp://${MARK}`, `https:/${MARK}`, 'https://h/#', 'https://h:99999']],
    ['PUBLIC_URL', [`https://u:${MARK}@h`, `https://h/?${MARK}`, 'https://h\\a', `https://h /${MARK}`]],
    ['TRUST_PROXY', ['true', '-1', '101', '01', '10.0.0', '1,2', MARK, '10.0.0.1,', '0.0.0.0/0', '::/0']],
    ['TRUST_PROXY', ['10.0.0.0/33', '::1/129', '10.0.0.0/', 'fe80::1%eth0']],
    ['ALLOWED_HOSTS', ['h:80', 'http://h', '*', 'a.*.b', 'h/a', `${MARK}@h`, 'fe80::1%eth0', 'h,', ' ']],
    ['MAX_BODY_BYTES', ['0', '64MiB', '536870889']],
    ['RATE_LIMIT', ['0', 'on', 'OFF', '1/s', '1000000000000000']],
    ['CORS_ORIGINS', ['*', 'null', 'https://*.example.com', 'https://h/', 'h.example', '//h', 'https://h,']],
    ['CORS_ORIGINS', [`https://u:${MARK}@h`, 'https://h?', 'https://h:99999', 'file:///a']],
    ['API_TOKENS', [`${MARK}12345678`, `${TOKEN},${MARK}`, `${MARK}${TOKEN}é`, `${MARK} ${TOKEN}`, ' ']],
    ['API_TOKENS', [`${TOKEN},${TOKEN}`, `${TOKEN},,${TOKEN}2`, `${MARK}"${TOKEN}`, '='.repeat(20)]],
    ['ADMIN_USERNAME', [' ', ` ${MARK}`, `${MARK}\n`, `${MARK}\u202E`, `${MARK}\uD83D`, MARK.repeat(15)]],
    ['ADMIN_PASSWORD', [MARK, '😀'.repeat(11), '😀'.repeat(1_025), `${MARK.repeat(2)}\uD83D`]],
    ['ADMIN_PASSWORD', [`${MARK.repeat(2)}\n`, `${MARK}\r\n${MARK}`, `${MARK.repeat(2)}\u2028`]],
    ['PASSWORD_HASH_MEMORY', ['8', '100', '2048']],
    ['HISTORY_DAYS', ['-1', '36501']],
    ['LOG_LEVEL', ['INFO', 'verbose', 'toString', MARK]],
    ['LOG_FORMAT', ['JSON', MARK]],
    ['SHUTDOWN_DELAY', ['-1', '2147484', '5s']],
    ['SHUTDOWN_TIMEOUT', ['0', '-1', '2147484']],
  ])('refuses each bad %s in %j', (name, texts) => {
    const rule = new RegExp(`^${name}: must`);
    for (const text of texts) {
      const faults = faultsOf({ [name]: text });
      // The text is in the comparison so that a failure shows which one was accepted.
      expect([text, faults.length > 0 && faults.every((fault) => rule.test(fault))]).toEqual([text, true]);
    }
  });

  it('explains what to correct', () => {
    const fault = 'PORT: must be a whole number from 0 to 65535';
    expect(findError({ PORT: 'x' })?.message).toBe(`The settings cannot be used:\n  ${fault}`);
  });

  it('reports all faults at once, in the order of the table', () => {
    const names = Object.keys(VARIABLES);
    const environment = Object.fromEntries(names.map((name) => [name, `${MARK}?\n`]));
    expect(faultsOf(environment).map((fault) => fault.split(':')[0])).toEqual(names);
  });
});

describe('isAllowedHost', () => {
  const LOOPBACK = 'localhost LOCALHOST:3000 127.0.0.1 127.1.2.3:80 [::1] [::1]:3000 posts.localhost:80';
  const NOT_LOOPBACK =
    'evil.example 127.0.0.1.evil.example localhost.evil.example notlocalhost 10.0.0.1:3000 0.0.0.0 [::] ' +
    'localhost. 127.1 0x7f.1 2130706433 [::ffff:127.0.0.1] .localhost';
  const PUBLIC_URL = 'https://Posts.example:8443/x';
  const ALLOWED_HOSTS = 'Posts.example, *.example.org,10.0.0.7,2001:DB8:0::1';

  it.each<[Environment, string, string]>([
    [{}, LOOPBACK, NOT_LOOPBACK],
    [{ HOST: 'localhost' }, 'localhost:3000', 'evil.example'],
    [{ HOST: '::', PUBLIC_URL }, 'posts.example POSTS.Example:8443 localhost', 'posts.example. evil.example'],
    [
      { ALLOWED_HOSTS, PUBLIC_URL: 'https://public.example' },
      'posts.example a.example.org a.b.EXAMPLE.org:443 [2001:db8::1]:3000',
      'example.org evilexample.org a.example.org.evil 10.0.0.77 public.example',
    ],
    [{ HOST: '::' }, 'evil.example 10.0.0.1', ''],
    [{ TRUST_PROXY: '1' }, 'evil.example', ''],
  ])('with %j allows %s, and not %s', (environment, allowed, others) => {
    const { allowedHosts } = read(environment);
    for (const host of allowed.split(' '))
      expect([host, isAllowedHost(host, allowedHosts)]).toEqual([host, true]);
    for (const host of others.split(' ').filter(Boolean))
      expect([host, isAllowedHost(host, allowedHosts)]).toEqual([host, false]);
  });
});

describe('warnings', () => {
  const OPEN = 'Writes are open beyond this machine: set API_TOKENS.';
  const OTHER_HOSTS =
    'DATABASE_URL: target_session_attrs is ignored; the host of the URL must lead to the primary.';
  const VERIFY = 'use sslmode=verify-full, which verifies the server';
  const UNKNOWN = expect.stringMatching(
    /^DATABASE_URL: a parameter is ignored; those .* are ssl, .*, schema,/,
  );
  const misspelt = (name: string, meant: string) => `${name} is no setting: did you mean ${meant}?`;
  const ANY_HOST = 'Requests for any host name are answered: set ALLOWED_HOSTS or PUBLIC_URL.';

  it.each<[Environment, string[]]>([
    [{ HOST: '0.0.0.0' }, [OPEN, ANY_HOST]],
    [{ TRUST_PROXY: '1', ALLOWED_HOSTS: 'a' }, [OPEN]],
    [{ HOST: '::', API_TOKENS: TOKEN }, [ANY_HOST]],
    [{ PUBLIC_URL: 'https://a.b', ALLOWED_HOSTS: '*.b' }, []],
    [{ DATABASE_URL: 'postgres://h/d?target_session_attrs=read-write&sslmode=require' }, [OTHER_HOSTS]],
    [
      { DATABASE_URL: 'postgres://h/d?channel_binding=require&require_auth=scram-sha-256' },
      ['channel_binding', 'require_auth'].map((name) => `DATABASE_URL: ${name} is ignored; ${VERIFY}.`),
    ],
    [
      { DATABASE_URL: 'postgres://h/d?connect_timeout=1&connection_limit=1' },
      [
        'DATABASE_URL: connect_timeout is ignored; set DATABASE_CONNECT_TIMEOUT.',
        'DATABASE_URL: connection_limit is ignored; set DATABASE_POOL_SIZE.',
      ],
    ],
    [{ DATABASE_URL: 'postgres://h/d?shema=blog&keepalives=1' }, [UNKNOWN]],
    [{ DATABASE_URL: 'postgres://h/d?schema=a&lock_timeout=1&host=/run&options=-c%20a%3D1' }, []],
    [
      { API_TOKEN: TOKEN, RATELIMT: '10', log_level: 'warn' },
      [
        misspelt('API_TOKEN', 'API_TOKENS'),
        misspelt('RATELIMT', 'RATE_LIMIT'),
        misspelt('log_level', 'LOG_LEVEL'),
      ],
    ],
    [
      { PUBLIC_URL_FILE: '/a', admin_username_file: '/a', API_TOKEN_FILE: '/a', DATABASE_URL_FILE: '/a' },
      [
        'PUBLIC_URL_FILE is no setting: set PUBLIC_URL, which is not read from a file.',
        'admin_username_file is no setting: set ADMIN_USERNAME, which is not read from a file.',
        misspelt('API_TOKEN_FILE', 'API_TOKENS_FILE'),
      ],
    ],
    [
      {
        PORT_FILE: '/a',
        POSTGRES_PASSWORD: 'x',
        PORTS: '1',
        HOSTNAME: 'x',
        LOG_LEVEL: 'warn',
        PUBLIC_DIR: 'x',
        RATELIMT: '',
      },
      [],
    ],
  ])('for %j are %j', (environment, warnings) => expect(read(environment).warnings).toEqual(warnings));
});

/** Defaults that are not a text of the table of the code. */
const EXPLAINED: Readonly<Record<string, string>> = {
  ADMIN_PASSWORD: 'made at first start and shown once in the log',
  ALLOWED_HOSTS: 'this machine and `PUBLIC_URL`',
  LOG_FORMAT: '`pretty` on a terminal, `json` elsewhere',
};

describe('the table of docs/operate/settings.md', () => {
  it('has the variables of the service, in their order, with their defaults and a meaning', () => {
    const page = readFileSync(new URL('../../docs/operate/settings.md', import.meta.url), 'utf8');
    const [heading, , ...rows] = page
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.slice(1, -1).split('|'))
      .map((cells) => cells.map((cell) => cell.trim()));
    expect(heading).toEqual(['variable', 'default', 'meaning']);
    const expected = Object.entries(VARIABLES).map(([name, [, text]]) => [
      name,
      EXPLAINED[name] ?? (text === '' ? 'none' : `\`${text}\``),
    ]);
    for (const name of Object.keys(FILE_VARIABLES)) expected.push([name, 'none']);
    expect(rows).toEqual(
      expected.map(([name, byDefault]) => [`\`${name}\``, byDefault, expect.stringMatching(/\.$/)]),
    );
  });
});
