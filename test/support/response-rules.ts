import { STATUS_CODES } from 'node:http';
import { inspect } from 'node:util';
import type { HttpResponse, ProblemJson } from './http-client.js';

const PROBLEM_MEMBERS = /^type,code,title,status,detail,instance,request_id(?:,errors)?$/;

/** Text that no response may contain: a stack frame, a local path, SQL, or a message of the database driver. */
const SECRETS = /\n\s+at |node_modules|\/work\/|\/tmp\/|\bSQLITE_|\bSELECT\b|\bINSERT INTO\b|TypeORM/;

/** Required in every response. */
const SECURITY_HEADERS = {
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /^default-src 'none'; (?:.*; )?frame-ancestors 'none'$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^no-referrer$/,
  'cross-origin-resource-policy': /^same-origin$/,
};

/** Header fields that a status requires (RFC 9110 §15). */
const REQUIRED_HEADERS: Readonly<Record<number, string>> = {
  201: 'location',
  303: 'location',
  308: 'location',
  401: 'www-authenticate',
  405: 'allow',
  415: 'accept-post',
  429: 'retry-after',
  503: 'retry-after',
};

/** A request as it was sent. */
export interface SentRequest {
  readonly method: string;
  /** The path with its query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/** Each rule, with whether the response follows it. */
type Rules = Readonly<Record<string, boolean>>;

/**
 * Asserts the rules that hold for every response of the service (contract, sections 5 and 7).
 *
 * @param baseUrl the base of all links; undefined when the request itself determines it
 * @param instance the path of the request, with the public prefix
 */
export function assertFollowsRules(
  sent: SentRequest,
  response: HttpResponse,
  baseUrl: string | undefined,
  instance: string,
): void {
  // Plain comparisons instead of `expect`: there are about 20 per response, and `expect` costs more than most of the
  // requests.
  const rules: Rules = {
    ...rulesOfAll(sent, response),
    ...(response.status >= 400 && rulesOfProblem(sent, response, baseUrl, instance)),
  };
  const broken = Object.keys(rules).filter((rule) => !rules[rule]);
  if (broken.length === 0) return;
  const { status, rawHeaders, text } = response;
  throw new Error(
    `${sent.method} ${sent.target}: ${broken.join('; ')}\n${inspect({ status, rawHeaders, text })}`,
  );
}

function rulesOfAll({ method, target }: SentRequest, response: HttpResponse): Rules {
  const { status, headers, rawHeaders, bytes } = response;
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  // A request whose outcome is not known must not simply be repeated.
  const isUnknown = status === 503 && response.text.includes('"code":"outcome-unknown"');
  const required = isUnknown ? 'date' : (REQUIRED_HEADERS[status] ?? 'date');
  const isBodiless = [204, 304].includes(status);
  const isPost =
    headers['etag'] !== undefined && /^(?!\/admin\/)(?:\/[\w-]+)?\/posts\/(?:[^/]+\/)?(?:\?|$)/.test(target);
  const date = headers['last-modified'] ?? '';
  return {
    'no header is repeated': new Set(names).size === names.length,
    'X-Request-Id is well-formed': /^[\w.~:=+/@-]{1,128}$/.test(headers['x-request-id'] ?? ''),
    'the headers are those of security': Object.entries(SECURITY_HEADERS).every(([name, pattern]) =>
      pattern.test(headers[name] ?? ''),
    ),
    'no header tells of the server or sets a cookie': !names.some((name) =>
      ['x-powered-by', 'set-cookie', 'server'].includes(name),
    ),
    [`${status} has ${required}`]: names.includes(required),
    'an unknown outcome has no Retry-After': !isUnknown || !names.includes('retry-after'),
    'ETag is strong and well-formed': headers['etag'] === undefined || /^"[!#-~]+"$/.test(headers['etag']),
    'a post or list with an ETag has Last-Modified': !isPost || new Date(date).toUTCString() === date,
    'Last-Modified is not later than Date': !isPost || Date.parse(date) <= Date.parse(headers['date']!),
    '200 varies by what it is negotiated by':
      status !== 200 ||
      /^(?:Origin, )?Accept, Accept-Encoding(?:, Prefer)?(?:, Origin)?$/.test(headers['vary'] ?? ''),
    'there is a body only where there may be one': bytes.length === 0 || (method !== 'HEAD' && !isBodiless),
    'no body has no type and no coding':
      !isBodiless || !('content-type' in headers || 'content-encoding' in headers),
    'a body has a type': bytes.length === 0 || 'content-type' in headers,
  };
}

function rulesOfProblem(
  sent: SentRequest,
  response: HttpResponse,
  baseUrl: string | undefined,
  instance: string,
): Rules {
  const { status, headers } = response;
  // Readiness reports a 503 with its own document.
  if (sent.target.endsWith('/health/ready')) return {};
  const rulesOfHead = {
    'a problem has its media type': headers['content-type'] === 'application/problem+json',
    'a problem is not stored': headers['cache-control'] === 'no-store',
    'a problem has no ETag': !('etag' in headers),
  };
  if (sent.method === 'HEAD') return rulesOfHead;

  const problem = response.json<ProblemJson>();
  const hasType = problem.type !== 'about:blank';
  const base = baseUrl ?? /^(?:https?:\/\/[^/]+)?(?:\/[\w.~-]+)*(?=\/problems\/)/.exec(problem.type)?.[0];
  return {
    ...rulesOfHead,
    'a problem tells no secret': !SECRETS.test(response.text),
    'a problem has its members, in their order': PROBLEM_MEMBERS.test(Object.keys(problem).join()),
    'a problem repeats the status': problem.status === status,
    'a problem repeats the id of the request': problem.request_id === headers['x-request-id'],
    'a problem repeats the path': problem.instance === instance.replaceAll(/%(?![\da-f]{2})/gi, '%25'),
    'a problem has a code': /^[a-z]+(?:-[a-z]+)*$/.test(problem.code),
    'a problem without a type has the title of its status': hasType || problem.title === STATUS_CODES[status],
    [`a problem of ${status} has a type`]: hasType || ![400, 403, 412, 413].includes(status),
    'the type of a problem leads to its page':
      !hasType || problem.type === `${base}/problems/#${problem.code}`,
    'a problem of 400 names the faults': status !== 400 || (problem.errors ?? []).length > 0,
  };
}
