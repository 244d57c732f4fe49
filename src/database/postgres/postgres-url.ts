import { broken, parseUrl, readList } from '../../settings/broken-rules.js';

/** The modes of libpq (https://www.postgresql.org/docs/current/libpq-ssl.html). */
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** The order in which libpq tries to connect: with TLS and then without it, or the reverse. */
const SSL_ATTEMPTS: Readonly<Record<string, readonly string[]>> = {
  prefer: ['require', 'disable'],
  allow: ['disable', 'require'],
};

/** The service writes, so `any`, `standby` and the like cannot be used. */
const SESSION_ATTRIBUTES = ['read-write', 'primary'];

/** The parameters that the service, or pg with the meaning of libpq, understands. */
const PARAMETERS = [
  'application_name',
  'host',
  'options',
  'password',
  'port',
  'schema',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslrootcert',
  'target_session_attrs',
  'user',
];

/** The text before the hosts, the hosts, and the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is;

/** The parts of a URL that pg does not handle itself. */
export interface PostgresTarget {
  /** One URL for each connection attempt, in order: each host, with and without TLS. */
  readonly urls: readonly string[];
  readonly mustWrite: boolean;
  /** The value of the startup parameter `options`: the settings of the session. */
  readonly options: string;
  readonly schema: string | undefined;
}

/** @param url accepted by {@link readPostgresUrl} */
export function postgresTarget(url: string): PostgresTarget {
  const [address = '', query = ''] = url.split(/\?(.*)/s);
  const parameters = Object.fromEntries(new URLSearchParams(query));
  const { schema, options = '', target_session_attrs: attributes, sslmode, ...others } = parameters;
  const hosts = hostsOf(address);
  const sslModes = sslmode === undefined ? [undefined] : (SSL_ATTEMPTS[sslmode] ?? [sslmode]);
  const urls = hosts.flatMap((host) =>
    sslModes.map((mode) => {
      // pg would treat `require` as `verify-full`.
      const ssl: Record<string, string> = mode === undefined ? {} : { sslmode: mode, uselibpqcompat: 'true' };
      const all = new URLSearchParams({ ...others, ...ssl });
      return all.size === 0 ? host : `${host}?${all.toString()}`;
    }),
  );
  return {
    urls,
    mustWrite: hosts.length > 1 || attributes !== undefined,
    options: schema === undefined ? options : `${options} -c search_path=${optionValue(schema)}`.trim(),
    schema,
  };
}

/** The hosts and the database, without the user and the password. */
export function shownAddress(url: string): string {
  const [, , hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  return `postgres://${hosts}${rest.replace(/\?.*$/s, '')}`;
}

export function readPostgresUrl(text: string): string {
  for (const url of hostsOf(text)) assertPostgresUrl(url);
  return text;
}

export function readPostgresUrls(text: string): string[] {
  return readList(text, readPostgresUrl);
}

/** One URL for each host of `host1:port1,host2:port2`. */
function hostsOf(url: string): string[] {
  const [, before = '', hosts = url, rest = ''] = PARTS.exec(url) ?? [];
  return hosts.split(',').map((host) => before + host + rest);
}

function assertPostgresUrl(text: string): void {
  const url = parseUrl(text);
  if (
    url === undefined ||
    !/^postgres(ql)?:\/\//i.test(text) ||
    /[\s#]/.test(text) ||
    !isPercentEncoded(url)
  ) {
    return broken(
      'must be postgres://user:password@host:port/database, with special characters in the user name and password percent-encoded',
    );
  }
  const { searchParams } = url;
  // pg ignores an unknown parameter, such as `sslmod`, which then protects nothing. The message does not name it: if the
  // password has an unencoded "?", it is a part of the password.
  if ([...searchParams.keys()].some((name) => !PARAMETERS.includes(name)))
    broken(`must have no other parameters than ${PARAMETERS.join(', ')}`);
  // A Unix socket has no host name; `?host=/var/run/postgresql` gives its folder instead.
  if (url.hostname === '' && !searchParams.get('host')) broken('must name the host of the PostgreSQL server');
  if (!/^\/[^/]+$/.test(url.pathname))
    broken('must name the database after the host, as in postgres://host/database');
  assertOneOf(searchParams, 'sslmode', SSL_MODES);
  assertOneOf(searchParams, 'target_session_attrs', SESSION_ATTRIBUTES);
  if (searchParams.get('sslmode') === 'verify-ca' && !searchParams.get('sslrootcert'))
    broken("must name the CA's file as its sslrootcert with sslmode=verify-ca");
  if (searchParams.get('schema') === '') broken('must name a schema as its schema');
}

function assertOneOf(parameters: URLSearchParams, name: string, known: readonly string[]): void {
  const value = parameters.get(name);
  if (value !== null && !known.includes(value)) broken(`must have one of ${known.join(', ')} as its ${name}`);
}

/** Quotes an identifier for `options`, where a backslash precedes white space and backslashes. */
function optionValue(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`.replaceAll(/[\s\\]/g, String.raw`\$&`);
}

/**
 * Whether the database driver can decode the user name, the password and the path. A lone "%" is a password that was
 * not encoded.
 */
function isPercentEncoded({ username, password, pathname }: URL): boolean {
  try {
    decodeURIComponent(username + password + pathname);
    return true;
  } catch {
    return false;
  }
}
