import { AuditService } from '../../src/history/audit.service.js';
import { HistoryRetention } from '../../src/history/history-retention.service.js';
import { AdminClient, PASSWORD, startAdminService, tryLogIn as tryLogInTo } from '../support/admin.js';
import { freshDatabase } from '../support/database.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

const SECRET = 'a secret that is typed by mistake';
/** The address of all requests but log-ins, which have an address each unless they say that they come from here. */
const HOME = '127.0.0.1';
const { service, admin: client } = await startAdminService({ HISTORY_DAYS: '30' });
const admin = client.headers;

interface ChangeJson {
  id: number;
  action: string;
  author: { kind: string; name: string | null };
  address: string | null;
  post_id?: number;
  post_count?: number;
  revision?: number;
  title: string | null;
  subject: string | null;
  detail: string | null;
  count: number;
}

const tryLogIn = (username: string, password: string) =>
  tryLogInTo(service, username, password, { 'X-Forwarded-For': HOME });

/** Logs in from home. @returns the header fields of the session */
async function logIn(username: string, password = PASSWORD) {
  const response = await tryLogIn(username, password);
  expect(response.status).toBe(201);
  return { Authorization: `Bearer ${response.json<{ token: string }>().token}` };
}

const BY_ADMIN = { author: { kind: 'account', name: 'admin' }, address: HOME };

const send = (method: string, path: string, json?: object, headers = admin) =>
  service.request(method, path, { headers, ...(json && { json }) });

const read = async (query = '') =>
  (await service.get(`/admin/api/changes/${query}`, admin)).json<ChangeJson[]>();

/** The entries that an action adds, oldest first. */
async function entriesOf(deed: () => Promise<unknown>): Promise<ChangeJson[]> {
  const [last] = await read('?limit=1');
  await deed();
  const entries = await read('?limit=100');
  return entries.filter(({ id }) => id > last!.id).toReversed();
}

/** Adds an editor with this name. */
async function addEditor(username: string): Promise<AdminClient> {
  await client.addAccount({ username, role: 'editor' });
  return AdminClient.logIn(service, username);
}

const createPosts = async (count: number) =>
  (await service.createAll(Array.from({ length: count }, (_, n) => ({ title: `Post ${n}` })))).map(
    ({ id }) => id,
  );

const deleteAll = (ids: readonly number[]) => send('POST', '/admin/api/bulk-deletions/', { ids });

const postsOf = async (id: number, query = '') =>
  (await service.get(`/admin/api/changes/${id}/posts/${query}`, admin)).json<
    { post_id: number; title: string | null }[]
  >();

describe('the change log', () => {
  it('records changes of accounts, roles and passwords with author, address and subject', async () => {
    let subject = '';
    const entries = await entriesOf(async () => {
      const { id, username } = await client.addAccount({ role: 'editor' });
      subject = username;
      const put = (json: object) => send('PUT', `/admin/api/accounts/${id}/`, json);
      await put({ role: 'viewer' });
      await put({ role: 'viewer', is_enabled: true });
      await put({ is_enabled: false });
      await put({ is_enabled: true });
      await put({ password: 'another good password', current_password: PASSWORD });
      const own = await logIn(subject, 'another good password');
      const json = { password: PASSWORD, current_password: 'another good password' };
      expect((await send('PUT', '/admin/api/accounts/current/', json, own)).status).toBe(200);
    });
    const byOwn = { author: { kind: 'account', name: subject }, address: HOME };
    expect(entries).toMatchObject([
      { action: 'account_added', ...BY_ADMIN, subject, detail: 'editor' },
      { action: 'role_changed', ...BY_ADMIN, subject, detail: 'viewer' },
      { action: 'account_disabled', ...BY_ADMIN, subject },
      { action: 'account_enabled', ...BY_ADMIN, subject },
      { action: 'password_changed', ...BY_ADMIN, subject },
      { action: 'logged_in', ...byOwn, subject: null },
      { action: 'password_changed', ...byOwn, subject },
    ]);
    for (const entry of entries) expect(entry).not.toHaveProperty('post_id');
  });

  it('records log-ins, log-outs, tokens and the first account', async () => {
    const entries = await entriesOf(async () => {
      const headers = await logIn('admin');
      expect((await send('DELETE', '/admin/api/sessions/current/', undefined, headers)).status).toBe(204);
      const { id } = await client.makeToken({ name: 'nightly', role: 'viewer' });
      await send('DELETE', `/admin/api/tokens/${id}/`);
    });
    expect(entries).toMatchObject([
      { action: 'logged_in', ...BY_ADMIN },
      { action: 'logged_out', ...BY_ADMIN },
      { action: 'token_created', ...BY_ADMIN, subject: 'nightly', detail: 'viewer' },
      { action: 'token_revoked', ...BY_ADMIN, subject: 'nightly' },
    ]);
    const [first] = await read('?author_kind=command&author_name=start');
    expect(first).toMatchObject({ action: 'account_added', subject: 'admin', address: null });
  });

  it('has one entry per account and address for failed log-ins, without unknown names', async () => {
    const { username } = await client.addAccount();
    const entries = await entriesOf(async () => {
      await Promise.all([1, 2, 3].map(() => tryLogIn(username, 'wrong')));
      await tryLogIn(SECRET, SECRET);
      await until(async () => (await read('?action=login_failed&limit=2')).length === 2);
      await until(async () => (await read('?action=login_failed')).some(({ count }) => count === 3));
    });
    const byNobody = { author: { kind: 'api', name: null }, address: HOME };
    expect(entries).toHaveLength(2);
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'login_failed', ...byNobody, subject: username, count: 3 }),
        expect.objectContaining({ action: 'login_failed', ...byNobody, subject: null, count: 1 }),
      ]),
    );
    expect((await service.get('/admin/api/changes/?limit=1000', admin)).text).not.toContain(SECRET);
  });

  it('has at most 51 entries an hour for failed log-ins', async () => {
    const audit = service.app.get(AuditService);
    const countOf = (entries: readonly ChangeJson[]) => entries.reduce((sum, { count }) => sum + count, 0);
    const before = countOf(await read('?action=login_failed&limit=1000'));
    for (let n = 0; n < 500; n += 1) {
      const author = { kind: 'api', name: undefined, address: `2001:db8:${n}::/64` } as const;
      audit.count({ action: 'login_failed', author });
    }
    let entries: ChangeJson[] = [];
    await until(async () => {
      entries = await read('?action=login_failed&limit=1000');
      return countOf(entries) === before + 500;
    });
    expect(entries).toHaveLength(51);
    expect(entries[0]).toMatchObject({ address: null, subject: null });
    expect(entries[0]!.count).toBeGreaterThanOrEqual(450);
  });

  it('logs exports by sessions and tokens, but neither pages of lists nor anonymous exports', async () => {
    const entries = await entriesOf(async () => {
      const csv = { ...admin, Accept: 'text/csv' };
      await service.get('/posts/', csv);
      await service.get('/posts/', csv);
      await service.get('/posts/?limit=5', csv);
      await service.get('/posts/', admin);
      await service.request('HEAD', '/posts/', { headers: csv });
      await service.get('/posts/', { Accept: 'text/csv' });
      await until(async () => (await read('?action=exported'))[0]?.count === 2);
    });
    expect(entries).toMatchObject([{ action: 'exported', ...BY_ADMIN, detail: 'text/csv', count: 2 }]);
  });

  it('logs each export of the site with its format, number and filter, whatever comes of it', async () => {
    await service.createAll([{ title: '=1+1 exported' }, { title: 'exported, 2' }]);
    const [csv, ndjson] = await entriesOf(async () => {
      const table = await send('POST', '/admin/api/exports/?search=exported', { format: 'csv' });
      expect(table.headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'x-total-count': '2',
      });
      expect(table.text).toMatch(/^\ufeffid,title,pub_date,body\r\n\d+,'=1\+1 exported,/);
      const posts = (await service.get('/posts/?search=exported&ordering=id')).json<{ id: number }[]>();
      const lines = await send('POST', '/admin/api/exports/', { format: 'ndjson', ids: [posts[1]!.id] });
      expect(JSON.parse(lines.text)).toEqual(posts[1]);
    });
    expect(csv).toMatchObject({ action: 'exported', ...BY_ADMIN, detail: 'CSV, 2 posts, search=exported' });
    expect(ndjson).toMatchObject({ action: 'exported', detail: 'NDJSON, 1 post, selected by hand' });
    const faulty = await send('POST', '/admin/api/exports/?colour=red', { format: 'xlsx' });
    expect(faulty.faultyPlaces.toSorted()).toEqual(['parameter colour', 'pointer /format']);
  });

  it('names the revision of a change, and "restored" for an earlier version', async () => {
    const post = await service.create({ title: 'Versions', body: 'one' });
    const entries = await entriesOf(async () => {
      await send('PUT', post.path, { title: 'Versions', body: 'two' });
      const path = `/admin/api/posts/${post.id}/revisions/1/restorations/`;
      expect((await send('POST', path, { newest: 1 })).status).toBe(412);
      expect((await send('POST', path, { newest: 2 })).status).toBe(204);
    });
    expect(entries.map(({ action, revision }) => [action, revision])).toEqual([
      ['changed', 2],
      ['restored', 3],
    ]);
    expect((await service.get(post.path)).json()).toMatchObject({ body: 'one' });
    const path = `/admin/api/posts/${post.id}/revisions/2/`;
    expect((await service.get(path, admin)).json()).toMatchObject({ action: 'changed', body: 'two' });
  });

  it('is filtered by parts of names and of what was affected, counted, and read from its end', async () => {
    const { username, headers } = await addEditor('Filter_ 100%');
    for (const title of ['Größe 1', 'Größe 2', 'Other']) {
      await send('POST', '/posts/', { title, body: '' }, headers);
    }
    const count = async (query: string) =>
      (await service.get(`/admin/api/changes/count/${query}`, admin)).json<{ count: number }>().count;
    expect(await read('?author_name=filter_&action=created')).toHaveLength(3);
    const all100 = await count(`?author_name=${encodeURIComponent(username)}`);
    expect(await count('?author_name=R_%20100%25')).toBe(all100);
    expect(await count('?author_name=filterx')).toBe(0);
    expect((await read('?subject=ilter_')).map(({ action }) => action)).toContain('account_added');

    const all = await read('?limit=1000');
    expect(await count('')).toBe(all.length);
    const last = await service.get('/admin/api/changes/?last=true&limit=3', admin);
    expect(last.json()).toEqual(all.slice(-3));
    const previous = /<([^>]*)>; rel="prev"/.exec(String(last.headers['link']))![1]!;
    const { pathname, search } = new URL(previous);
    expect((await service.get(pathname + search, admin)).json()).toEqual(all.slice(-6, -3));
  });

  it('shows failed log-ins and addresses to administrators alone', async () => {
    await tryLogIn('admin', 'wrong');
    await until(async () => (await read('?action=login_failed')).length > 0);
    const { headers } = await addEditor('nosy editor');
    const seen = (await service.get('/admin/api/changes/?limit=1000', headers)).json<ChangeJson[]>();
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.filter(({ action, address }) => action === 'login_failed' || address !== null)).toEqual([]);
    expect((await service.get('/admin/api/changes/?action=login_failed', headers)).json()).toEqual([]);
    const csv = await service.get('/admin/api/changes/', { ...headers, Accept: 'text/csv' });
    expect(csv.text).not.toContain(HOME);
    expect((await service.get('/admin/api/dashboard/', headers)).text).not.toContain('"address":"');
  });

  it('has one entry for one action on many posts, which lists these posts', async () => {
    const ids = await createPosts(5);
    const [deleted, restored, purged] = await entriesOf(async () => {
      expect((await deleteAll(ids)).status).toBe(200);
      expect((await send('POST', '/admin/api/restorations/', { ids })).status).toBe(200);
      await deleteAll(ids);
      expect((await send('POST', '/admin/api/purges/', { ids })).text).toContain('{"done":5,"total":5}');
    }).then((entries) => entries.filter((_, index) => index !== 2));
    expect(deleted).toMatchObject({ action: 'deleted', ...BY_ADMIN, post_count: 5, title: null });
    expect(restored).toMatchObject({ action: 'restored', ...BY_ADMIN, post_count: 5 });
    expect(purged).toMatchObject({ action: 'purged', ...BY_ADMIN, post_count: 5 });
    expect(purged).not.toHaveProperty('post_id');
    // A purge removes all earlier entries of its posts.
    expect(await postsOf(deleted!.id)).toEqual([]);
    expect((await postsOf(purged!.id)).map(({ post_id }) => post_id)).toEqual(ids.toReversed());
  });

  it('lists the posts of an entry in pages with titles, and filters entries by post', async () => {
    const ids = await createPosts(3);
    const [entry, ...others] = await entriesOf(() => deleteAll(ids));
    expect(others).toEqual([]);
    const all = await postsOf(entry!.id);
    expect(all).toEqual([2, 1, 0].map((n) => ({ post_id: ids[n], title: `Post ${n}` })));
    const page = await service.get(`/admin/api/changes/${entry!.id}/posts/?limit=2`, admin);
    const next = new URL(/<([^>]*)>; rel="next"/.exec(String(page.headers['link']))![1]!);
    expect((await service.get(next.pathname + next.search, admin)).json()).toEqual(all.slice(2));
    expect(await read(`?post_id=${ids[0]}&action=deleted`)).toMatchObject([
      { post_id: ids[0], title: 'Post 0', ...BY_ADMIN },
    ]);
    const deleted = await service.get('/admin/api/deleted-posts/?limit=3', admin);
    expect(deleted.json<{ id: number }[]>().map(({ id }) => id)).toEqual(ids.toReversed());
  });

  it('lists the posts of an import that still exist', async () => {
    const lines = '{"title":"One","body":""}\n{"title":"Two","body":""}\n{"title":"Three","body":""}\n';
    const [entry] = await entriesOf(() => service.import(lines));
    expect(entry).toMatchObject({ action: 'imported', author: { kind: 'api' }, address: HOME });
    await service.delete(`/posts/${entry!.post_id! + 1}/`);
    expect(await postsOf(entry!.id)).toEqual([
      { post_id: entry!.post_id! + 2, title: 'Three' },
      { post_id: entry!.post_id!, title: 'One' },
    ]);
    expect((await service.get('/admin/api/changes/999999/posts/', admin)).status).toBe(404);
  });

  it('is exported as CSV, with the same filters', async () => {
    const get = (Accept: string, query = '') =>
      service.get(`/admin/api/changes/${query}`, { ...admin, Accept });
    const listed = await read('?limit=1000');
    const csv = await get('text/csv', '?action=role_changed');
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    const [header, ...records] = csv.text.trimEnd().split('\r\n');
    expect(header).toBe(
      'id,at,action,author_kind,author_name,address,post_id,last_post_id,post_count,title,subject,detail,count',
    );
    expect(records).toHaveLength(listed.filter(({ action }) => action === 'role_changed').length);
    expect(records[0]).toMatch(
      /^\d+,[^,]+Z,role_changed,account,admin,127\.0\.0\.1,,,,,person \d+,viewer,1$/,
    );
    expect((await get('application/x-ndjson')).status).toBe(406);
  });

  it('deletes entries after HISTORY_DAYS', async () => {
    const day = 86_400_000;
    const retention = service.app.get(HistoryRetention);
    const count = async () => (await read('?action=logged_in&limit=1000')).length;
    const before = await count();
    await retention.forgetExpired(Date.now() + 29 * day);
    expect(await count()).toBe(before);
    await retention.forgetExpired(Date.now() + 31 * day);
    expect(await count()).toBe(0);
  });
});

describe('the settings', () => {
  it('are recorded by name, not by value, when they have changed since the last start', async () => {
    const of = { DATABASE_URL: (await freshDatabase()).url, ADMIN_PASSWORD: PASSWORD };
    const changesAfter = async (environment: Record<string, string>) => {
      const started = await startService({ ...of, ...environment });
      const log = await (await AdminClient.logIn(started)).get('changes/?action=settings_changed');
      await started.stop();
      return log.json<ChangeJson[]>().map(({ author, detail }) => ({ author, detail }));
    };
    const tokens = { API_TOKENS: 'a-token-of-one-program' };
    expect(await changesAfter(tokens)).toEqual([]);
    expect(await changesAfter(tokens)).toEqual([]);
    const entry = { author: { kind: 'command', name: 'start' }, detail: 'API_TOKENS, HISTORY_DAYS' };
    const others = { API_TOKENS: 'a-token-of-another-program', HISTORY_DAYS: '30' };
    expect(await changesAfter(others)).toEqual([entry]);
    expect(await changesAfter(others)).toEqual([entry]);
  });
});

describe('GET /admin/api/posts/{id}/', () => {
  it('shows who made the post and changed it last, and its neighbours in the list', async () => {
    const title = 'Beside another';
    const [a, b, c] = (await service.createAll([1, 2, 3].map(() => ({ title })))).map(({ id }) => id);
    await service.request('PUT', `/posts/${b}/`, { json: { title, body: 'New' }, headers: admin });
    const get = async (id: number | undefined, query: string) =>
      (await service.get(`/admin/api/posts/${id}/${query}`, admin)).json<Record<string, unknown>>();
    const list = '?search=beside&ordering=id';
    expect(await get(b, list)).toEqual({
      created: { at: expect.any(String), author: { kind: 'api', name: null } },
      changed: { at: expect.any(String), author: { kind: 'account', name: 'admin' } },
      previous: a,
      next: c,
    });
    expect(await get(b, '?search=beside&ordering=-id')).toMatchObject({ previous: c, next: a });
    expect(await get(a, list)).toMatchObject({ changed: null, previous: null, next: b });
    expect(await get(c, list)).toMatchObject({ previous: b, next: null });
    expect((await service.get('/admin/api/posts/999999/', admin)).status).toBe(404);
    expect((await service.get(`/admin/api/posts/${a}/?limit=1`, admin)).status).toBe(400);
  });
});
