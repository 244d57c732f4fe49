import { STATUS_CODES } from 'node:http';
import type { Answer, ProblemJson, SentRequest } from './http-client.js';

const PROBLEM_MEMBERS = ['type', 'title', 'status', 'detail', 'instance', 'request_id', 'errors'];

/** What no answer may hold: a frame of a stack, a path of this machine, words of SQL or of the database driver. */
const SECRETS = /\n\s+at |node_modules|\/work\/|\/tmp\/|\bSQLITE_|\bSELECT\b|\bINSERT INTO\b|TypeORM/;

/** What every answer tells browsers. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': expect.stringMatching(/^default-src 'none'; (?:.*; )?frame-ancestors 'none'$/),
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** What a status asks for in the header (RFC 9110 §15). */
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

/**
 * Holds an answer to the rules that hold for every answer of the service (contract, sections 5 and 7).
 *
 * @param baseUrl where links should start; undefined when the request itself says so
 */
export function assertFollowsRules(sent: SentRequest, answer: Answer, baseUrl: string | undefined): void {
  const { status, headers, bytes } = answer;
  const names = answer.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);

  expect(headers['x-request-id']).toMatch(/^[\w.~:=+/@-]{1,128}$/);
  expect(headers).toMatchObject(SECURITY_HEADERS);
  expect(names.filter((name) => ['x-powered-by', 'set-cookie', 'server'].includes(name))).toEqual([]);
  expect(headers).toHaveProperty(REQUIRED_HEADERS[status] ?? 'date');
  if (headers['etag'] !== undefined) expect(headers['etag']).toMatch(/^"[!#-~]+"$/);

  if (sent.method === 'HEAD' || [204, 304].includes(status)) expect(bytes).toHaveLength(0);
  if ([204, 304].includes(status)) {
    expect(names).not.toContain('content-type');
    expect(names).not.toContain('content-encoding');
  }
  if (bytes.length > 0) expect(headers).toHaveProperty('content-type');
  if (status === 200)
    expect(headers['vary']).toMatch(
      /^Accept, Accept-Encoding(?:, Origin)?$|^Origin, Accept, Accept-Encoding$/,
    );

  if (status >= 400) assertIsProblem(sent, answer, baseUrl);
}

function assertIsProblem(sent: SentRequest, answer: Answer, baseUrl: string | undefined): void {
  const { status, headers } = answer;
  // Readiness tells that it is not by its own document.
  if (sent.target.endsWith('/health/ready')) return;
  expect(headers['content-type']).toBe('application/problem+json');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers).not.toHaveProperty('etag');
  if (sent.method === 'HEAD') return;

  expect(answer.text).not.toMatch(SECRETS);
  const problem = answer.json<ProblemJson>();
  expect(Object.keys(problem)).toEqual(PROBLEM_MEMBERS.filter((member) => member in problem));
  expect(problem).toMatchObject({
    status,
    title: expect.any(String),
    detail: expect.any(String),
    request_id: headers['x-request-id'],
    instance: sent.target.replace(/\?.*/s, '').replaceAll(/%(?![\da-f]{2})/gi, '%25'),
  });
  if (problem.type === 'about:blank') {
    expect(problem.title).toBe(STATUS_CODES[status]);
    expect([400, 403, 412, 413]).not.toContain(status);
  } else {
    expect(problem.type).toMatch(/^(?:https?:\/\/[^/]+)?(?:\/[\w.~-]+)*\/problems\/[a-z-]+\/$/);
    if (baseUrl !== undefined) expect(problem.type.startsWith(`${baseUrl}/problems/`)).toBe(true);
  }
  if (status === 400) expect(problem.errors).not.toHaveLength(0);
}
