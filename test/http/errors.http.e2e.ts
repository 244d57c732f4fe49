import { jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { ServerResponse, STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { explainedKinds } from '../../src/openapi/catalogue.js';
import { FAULT_CODES, problemKinds } from '../../src/problem-details/problem.js';
import { InvalidRequest } from '../../src/problem-details/problems.js';
import { DatabaseFault } from '../../src/database/database-fault.js';
import { PostsService } from '../../src/posts/posts.service.js';
import { errorsPage } from '../../scripts/errors-page.js';
import type { HttpResponse } from '../support/http-client.js';
import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

const service = await startService({ MAX_BODY_BYTES: '2000' });
afterEach(() => jest.restoreAllMocks());

const TOO_LONG = 'The title must have at most 200 characters (Unicode code points).';
const NULL = 'The text must not contain U+0000 (the null character).';
const SURROGATE = 'The text must not contain a lone surrogate (half of a UTF-16 pair).';

describe('an error', () => {
  it('is a complete problem document', async () => {
    const response = await service.post({ title: '' });
    expect(response.shown).toEqual({
      status: 400,
      headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
      body: {
        type: `${service.baseUrl}/problems/#invalid-request`,
        code: 'invalid-request',
        title: InvalidRequest.kind.title,
        status: 400,
        detail: 'The request has 2 faults; nothing was changed.',
        instance: '/posts/',
        request_id: response.headers['x-request-id'],
        errors: [
          { detail: 'The title must not be empty or only white space.', code: 'blank', pointer: '/title' },
          { detail: 'The field is required.', code: 'required', pointer: '/body' },
        ],
      },
    });
  });

  it.each<[object, object]>([
    [{ title: undefined }, { code: 'required', detail: 'The field is required.' }],
    [{ title: 7 }, { code: 'not_a_string', detail: 'The value must be a string.' }],
    [{ title: '😀'.repeat(201) }, { code: 'too_long', detail: TOO_LONG, limit: 200 }],
    [{ title: ' \u00a0' }, { code: 'blank', detail: 'The title must not be empty or only white space.' }],
    [{ title: 'a\0' }, { code: 'null_character', detail: NULL }],
    [{ title: 'a\ud800' }, { code: 'lone_surrogate', detail: SURROGATE }],
    [{ body: null }, { code: 'not_a_string', detail: 'The value must be a string.' }],
  ])('says what is wrong with a field (case %#)', async (fields, fault) => {
    const { errors } = (await service.post({ ...aPost({ title: '😀'.repeat(200) }), ...fields })).problem;
    expect(errors).toEqual([{ ...fault, pointer: `/${Object.keys(fields)[0]}` }]);
  });

  it.each([
    ['{', 'malformed_json '],
    ['{"id":"7","title":1,"body":false}', 'not_an_integer /id, not_a_string /title, not_a_string /body'],
    ['{"id":0}', `out_of_range /id ${Number.MAX_SAFE_INTEGER}, required /title, required /body`],
    [`{"title":"${'x'.repeat(201)}","pub_date":"x","body":""}`, 'too_long /title 200, not_a_date /pub_date'],
    [String.raw`{"x/y":1,"title":"\u0000","body":""}`, 'unknown_field /x~1y, null_character /title'],
    [String.raw`{"title":"a","body":"\ud800"}`, 'lone_surrogate /body'],
    ['{"id":8,"title":"t","body":"b"}', 'id_mismatch /id'],
  ])('has a code for each fault of a body (case %#)', async (body, faults) => {
    const headers = { 'Content-Type': 'application/json' };
    const { errors = [] } = (await service.request('PUT', '/posts/7/', { body, headers })).problem;
    const found = errors.map(({ code, pointer, limit }) => [code, pointer, limit ?? []].flat().join(' '));
    expect(found.join(', ')).toBe(faults);
  });
});

describe('an unexpected fault', () => {
  const secret = 'title-of-the-secret-post';

  it('is a 500 with fixed text, the log has the rest, and the service stays alive', async () => {
    const broken = await startService();
    await broken.get('/posts/');
    // An unexpected database error, as after a bug or an operator's mistake.
    await broken.database.execute('ALTER TABLE posts RENAME TO elsewhere');
    // The service notices a change by another program within a second.
    await until(async () => (await broken.get('/posts/')).status === 500);
    for (const [method, target, caller] of [
      ['GET', `/posts/?ordering=title&title=${secret}`, 'PageReads'],
      ['POST', '/posts/', 'PostWritesRepository'],
    ] as const) {
      const json = method === 'POST' ? aPost({ title: secret, body: secret }) : undefined;
      const response = await broken.request(method, target, { json });
      const detail = 'The service failed unexpectedly. The log has the details under this request id.';
      expect(response.problem).toMatchObject({ status: 500, type: 'about:blank', detail });
      const id = response.headers['x-request-id'];
      const logged = broken.log.find(({ level, request_id }) => level === 'error' && request_id === id);
      const record = JSON.stringify(logged);
      // The text of the statement, and its callers.
      expect(record).toMatch(/"sql":"[A-Z]+ .*posts/);
      expect(record).toContain(` at ${caller}.`);
      expect(record).not.toContain(secret);
    }
    expect((await broken.get('/')).status).toBe(200);
    await broken.database.execute('ALTER TABLE elsewhere RENAME TO posts');
    expect((await broken.post(aPost())).status).toBe(201);
    expect((await broken.get('/posts/?limit=5&ordering=-id')).status).toBe(200);
  });
});

describe('the log', () => {
  const linesOf = async (to: Promise<HttpResponse>) => {
    const id = (await to).headers['x-request-id'];
    await until(() => service.log.some(({ request_id, msg }) => request_id === id && msg === 'request'));
    return service.log.filter(({ request_id }) => request_id === id);
  };

  it('has one line for a refused request: a warning with its causes, without a stack', async () => {
    const cause = new Error('The database is full', { cause: new Error('FULL') });
    const fault = new DatabaseFault('full', { cause });
    jest.spyOn(service.app.get(PostsService, { strict: false }), 'create').mockRejectedValue(fault);
    const [refused, ...others] = await linesOf(service.post(aPost()));
    const detail = 'The database has no space left; nothing was changed.';
    const reason = { detail, cause: `${detail}: The database is full: FULL` };
    expect(refused).toMatchObject({ level: 'warn', method: 'POST', status: 503, ...reason, msg: 'request' });
    expect(others).toEqual([]);
    const wrong = await linesOf(service.get('/nowhere'));
    expect(wrong).toMatchObject([{ level: 'info', status: 404, msg: 'request' }]);
    expect(wrong[0]).not.toHaveProperty('detail');
  });

  it('has why a problem could not be sent, and the connection is closed', async () => {
    const fault = new Error('no header today');
    jest.spyOn(ServerResponse.prototype, 'end').mockImplementation(() => {
      throw fault;
    });
    await expect(service.get('/nowhere', { Expect: 'anything' })).rejects.toThrow('socket hang up');
    expect(JSON.stringify(service.log)).toContain('no header today');
  });
});

describe('GET /problems/', () => {
  it('explains every kind under its code, in HTML in which nothing needs an escape', async () => {
    const { headers, text } = await service.get('/problems/');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    });
    const [, ...sections] = text.split('<h2 id=');
    expect(sections).toHaveLength(explainedKinds().length);
    for (const [index, { slug, status, title, explanation, remedy }] of explainedKinds().entries()) {
      const texts = [title, explanation, remedy];
      expect(texts.join()).not.toMatch(/[<>&'"]/);
      for (const each of [`"${slug}">`, String(status), STATUS_CODES[status], ...texts])
        expect(sections[index]).toContain(each);
    }
  });
});

describe('docs/api/errors.md', () => {
  it('has the kinds and codes of the classes', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/api/errors.md'), 'utf8');
    expect(page).toBe(errorsPage(problemKinds(), FAULT_CODES));
  });
});
