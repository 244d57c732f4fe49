import { bearer } from '../support/admin.js';
import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';

const TOKENS = ['first-token-0123456789', 'second.token~abc/+-_==', 'pst_of-an-operator-012345'] as const;
const service = await startService({ API_TOKENS: TOKENS.join(', ') });

const unauthorized = (detail: string) =>
  expect.objectContaining({ status: 401, code: 'unauthorized', detail });
const MISSING = unauthorized('Writing needs "Authorization: Bearer <token>".');
const UNKNOWN = unauthorized('The token is not known.');
const CHALLENGE = 'Bearer realm="posts"';

async function createPost(): Promise<string> {
  const response = await service.post(aPost(), bearer(TOKENS[0]));
  expect(response.status).toBe(201);
  return `/posts/${response.json<{ id: number }>().id}/`;
}

describe('API_TOKENS', () => {
  it('allows writes with one of the tokens, in any case of the scheme', async () => {
    const path = await createPost();
    const headers = { Authorization: `bEARER   ${TOKENS[1]} ` };
    expect((await service.post(aPost(), headers)).status).toBe(201);
    expect((await service.put(path, aPost(), headers)).status).toBe(200);
    expect((await service.delete(path, headers)).status).toBe(204);
  });

  it('may begin as the tokens do that the service makes', async () => {
    expect((await service.post(aPost(), bearer(TOKENS[2]))).status).toBe(201);
  });

  it.each([
    ['no Authorization field', {}, MISSING],
    ['another scheme', { Authorization: `Basic ${TOKENS[0]}` }, MISSING],
    ['the beginning of a token', bearer(TOKENS[0].slice(0, -1)), UNKNOWN],
    ['a token in another case', bearer(TOKENS[0].toUpperCase()), UNKNOWN],
  ])('refuses a write with %s', async (_, headers, problem) => {
    const challenge = problem === UNKNOWN ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE;
    const path = await createPost();
    const before = (await service.get('/posts/?limit=1000')).text;
    const responses = [
      await service.post(aPost(), headers),
      await service.put(path, aPost({ title: 'New' }), headers),
      await service.put(`/posts/?id=${path.split('/')[2]}`, aPost({ title: 'New' }), headers),
      await service.delete(path, headers),
      await service.delete(`/posts/?id=${path.split('/')[2]}`, headers),
    ];
    for (const response of responses) {
      expect(response.problem).toEqual(problem);
      expect(response.headers['www-authenticate']).toBe(challenge);
    }
    expect((await service.get('/posts/?limit=1000')).text).toBe(before);
  });

  it.each([
    ['a target that cannot exist', 'PUT', '/posts/x/', { json: aPost() }],
    ['a method that the path does not have', 'POST', '/posts/7/', { json: aPost() }],
    ['a body of unknown type', 'POST', '/posts/', { body: 'x', headers: { 'Content-Type': 'text/plain' } }],
  ])('is checked before the content and the target: %s', async (_, method, target, options) => {
    expect((await service.request(method, target, options)).problem).toEqual(MISSING);
  });

  it('is checked after the path and the origin, not for reads, nor for a method that nothing has', async () => {
    const path = await createPost();
    for (const target of ['/', '/posts/', path]) expect((await service.get(target)).status).toBe(200);
    expect((await service.request('POST', '/nothing/')).status).toBe(404);
    expect((await service.request('PATCH', '/posts/')).status).toBe(405);
    expect((await service.request('POST', '/health/live')).status).toBe(405);
    expect((await service.request('POST', '/', { headers: bearer(TOKENS[0]) })).status).toBe(405);
    const foreign = { ...bearer(TOKENS[0]), 'Sec-Fetch-Site': 'cross-site' };
    expect((await service.post(aPost(), foreign)).status).toBe(403);
  });
});
