import { broken, parseUrl } from './broken-rules.js';

/** Those of libpq (https://www.postgresql.org/docs/current/libpq-ssl.html) that pg has; it never connects again without TLS. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];
const SSL_PARAMETERS = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation'];

/** The parts of a URL that pg does not handle itself. */
export interface PostgresTarget {
  readonly connectionString: string;
  /** The value of the startup parameter `options`: the settings of the session. */
  readonly options: string;
  readonly schema: string | undefined;
}

/** @param url accepted by {@link readPostgresUrl} */
export function postgresTarget(url: string): PostgresTarget {
  const [address = '', query = ''] = url.split(/\?(.*)/s);
  const { schema, options = '', ...others } = Object.fromEntries(new URLSearchParams(query));
  // Otherwise pg treats `require` as `verify-full`.
  if (others['sslmode'] !== undefined) others['uselibpqcompat'] = 'true';
  const parameters = new URLSearchParams(others);
  return {
    connectionString: parameters.size === 0 ? address : `${address}?${parameters.toString()}`,
    options: schema === undefined ? options : `${options} -c search_path=${optionValue(schema)}`.trim(),
    schema,
  };
}

/** The host and the database, without the user and the password. */
export function shownAddress(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

export function readPostgresUrl(text: string): string {
  const [address = ''] = text.split('?');
  if (address.slice(address.lastIndexOf('@') + 1).includes(','))
    broken('must name one host: give several servers a name, an address or a pooler of their own');
  const url = parseUrl(text);
  if (!url || !/^postgres(ql)?:\/\//i.test(text) || /[\s#]/.test(text) || !isPercentEncoded(url)) {
    return broken(
      'must be postgres://user:password@host:port/database, with special characters in the user name and password percent-encoded',
    );
  }
  // A Unix socket has no host name; `?host=/var/run/postgresql` gives its folder instead.
  if (url.hostname === '' && !url.searchParams.get('host'))
    broken('must name the host of the PostgreSQL server');
  if (!/^\/[^/]+$/.test(url.pathname))
    broken('must name the database after the host, as in postgres://host/database');
  checkSsl(url.searchParams);
  if (url.searchParams.get('schema') === '') broken('must name a schema as its schema');
  return text;
}

/** pg ignores an unknown parameter, such as `sslmod`, which then protects nothing. */
function checkSsl(parameters: URLSearchParams): void {
  if ([...parameters.keys()].some((name) => /^ssl/i.test(name) && !SSL_PARAMETERS.includes(name)))
    broken(`must have no other parameters about TLS than ${SSL_PARAMETERS.join(', ')}`);
  const mode = parameters.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode))
    broken(`must have one of ${SSL_MODES.join(', ')} as its sslmode`);
  if (mode === 'verify-ca' && !parameters.get('sslrootcert'))
    broken("must name the CA's file as its sslrootcert with sslmode=verify-ca");
}

/** The parameters that have an effect: our own, and those that pg reads from a URL. */
const PARAMETERS = [
  ...SSL_PARAMETERS,
  ...'schema options host port user password application_name fallback_application_name'.split(' '),
  ...'client_encoding statement_timeout lock_timeout idle_in_transaction_session_timeout'.split(' '),
  ...'query_timeout replication binary uselibpqcompat'.split(' '),
];

/** Parameters of libpq and of other clients that pg does not have, and what holds in their place. */
const IGNORED_PARAMETERS: Readonly<Record<string, string>> = {
  connect_timeout: 'set DATABASE_CONNECT_TIMEOUT',
  connection_limit: 'set DATABASE_POOL_SIZE',
  max: 'set DATABASE_POOL_SIZE',
  channel_binding: 'use sslmode=verify-full, which verifies the server',
  require_auth: 'use sslmode=verify-full, which verifies the server',
  target_session_attrs: 'the host of the URL must lead to the primary',
};

/**
 * Sentences about the parameters of a URL that have no effect. They name known ones alone: another one may be a part of a
 * password that was not encoded.
 */
export function ignoredParameters(url: string): string[] {
  const names = [...new Set(new URL(url).searchParams.keys())].filter((name) => !PARAMETERS.includes(name));
  const known = names.filter((name) => Object.hasOwn(IGNORED_PARAMETERS, name));
  const sentences = known.map((name) => `DATABASE_URL: ${name} is ignored; ${IGNORED_PARAMETERS[name]}.`);
  if (known.length < names.length)
    sentences.push(
      `DATABASE_URL: a parameter is ignored; those with an effect are ${PARAMETERS.join(', ')}.`,
    );
  return sentences;
}

/** Quotes an identifier for `options`, where a backslash precedes white space and backslashes. */
function optionValue(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`.replaceAll(/[\s\\]/g, String.raw`\$&`);
}

/** Whether pg can decode the user name, the password and the path. A lone "%" is a password that was not encoded. */
function isPercentEncoded({ username, password, pathname }: URL): boolean {
  try {
    decodeURIComponent(username + password + pathname);
    return true;
  } catch {
    return false;
  }
}
