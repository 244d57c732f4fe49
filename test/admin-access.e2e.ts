import { aPost } from './support/posts.js';
import { startService } from './support/service.js';

const PASSWORD = 'correct horse battery';
const service = await startService({ ADMIN_PASSWORD: PASSWORD });

interface SessionJson {
  token: string;
  expires_at: string;
  account: { id: number; username: string };
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

async function logIn(username = 'admin', password = PASSWORD): Promise<SessionJson> {
  const answer = await service.request('POST', '/admin/api/sessions/', { json: { username, password } });
  expect(answer.status).toBe(201);
  return answer.json<SessionJson>();
}

describe('POST /admin/api/sessions/', () => {
  it('lets in whoever knows the password, for an hour', async () => {
    const before = Date.now();
    const session = await logIn();
    expect(session).toEqual({
      token: expect.stringMatching(/^psa_[\w-]{72}$/),
      expires_at: expect.any(String),
      account: { id: 1, username: 'admin' },
    });
    const lasts = Date.parse(session.expires_at) - before;
    expect(lasts).toBeGreaterThan(3_590_000);
    expect(lasts).toBeLessThanOrEqual(3_600_000 + (Date.now() - before));
    const current = await service.get('/admin/api/sessions/current/', bearer(session.token));
    expect(current.json()).toEqual({ expires_at: session.expires_at, account: session.account });
  });

  it('lets the token write posts', async () => {
    const { token } = await logIn();
    expect((await service.post(aPost(), bearer(token))).status).toBe(201);
  });
});

describe('DELETE /admin/api/sessions/current/', () => {
  it('ends the session at once', async () => {
    const { token } = await logIn();
    const headers = bearer(token);
    expect((await service.delete('/admin/api/sessions/current/', headers)).status).toBe(204);
    expect((await service.get('/admin/api/sessions/current/', headers)).status).toBe(401);
    expect((await service.post(aPost(), headers)).status).toBe(401);
    expect((await service.get('/posts/', headers)).status).toBe(401);
  });
});
