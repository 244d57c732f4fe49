import { jest } from '@jest/globals';
import type { ChangeDto } from '../../src/admin/change.dto.js';
import { AuditService } from '../../src/history/audit.service.js';
import { AdminClient, newAddress, PASSWORD, startAdminService, tryLogIn } from '../support/admin.js';
import type { HttpResponse } from '../support/http-client.js';
import { poll, until } from '../support/until.js';

const SECRET = 'a secret that is typed by mistake';
/** The address of all requests but log-ins, which have an address each. */
const HOME = '127.0.0.1';
const { service, admin, asAdmin } = await startAdminService();

const OWN = { author: { kind: 'account', name: 'admin' } };
const BY_ADMIN = { ...OWN, address: HOME };

const read = async (query = '', client = admin) => (await client.get(`changes/${query}`)).json<ChangeDto[]>();

const linkOf = ({ links }: HttpResponse, relation: string): Promise<HttpResponse> =>
  service.get(links[relation]!, asAdmin);

/** The entries that an action adds, oldest first. */
async function entriesOf(deed: () => Promise<unknown>): Promise<ChangeDto[]> {
  const [last] = await read('?limit=1');
  await deed();
  const entries = await read('?limit=100');
  return entries.filter(({ id }) => id > last!.id).toReversed();
}

/** How many events the entries stand for. */
const countOf = (entries: readonly ChangeDto[]): number => entries.reduce((sum, { count }) => sum + count, 0);

async function createPosts(count: number): Promise<number[]> {
  const posts = await service.createAll(Array.from({ length: count }, (_, n) => ({ title: `Post ${n}` })));
  return posts.map(({ id }) => id);
}

const sendBulk = (name: string, ids: readonly number[]) => admin.send('POST', `${name}/`, { ids });

const postsOf = async (id: number) => (await admin.get(`changes/${id}/posts/`)).json<{ post_id: number }[]>();

describe('the change log', () => {
  it('records accounts, roles, passwords, log-ins and tokens with author, address and subject', async () => {
    let subject = '';
    const entries = await entriesOf(async () => {
      const account = await admin.addAccount({ role: 'editor' });
      subject = account.username;
      await admin.change(account, { role: 'viewer' });
      await admin.change(account, { role: 'viewer', is_enabled: true });
      await admin.change(account, { is_enabled: false });
      await admin.change(account, { is_enabled: true });
      await admin.change(account, { password: 'another good password' });
      const own = await AdminClient.logIn(service, subject, 'another good password');
      await own.send('DELETE', 'sessions/current/');
      const { id } = await admin.makeToken({ name: 'nightly', role: 'viewer' });
      await admin.send('DELETE', `tokens/${id}/`);
      const again = await AdminClient.logIn(service, subject, 'another good password');
      const json = { password: PASSWORD, current_password: 'another good password' };
      expect((await again.send('PUT', 'accounts/current/', json)).status).toBe(200);
    });
    const byOwn = { author: { kind: 'account', name: subject } };
    const fromElsewhere = { address: expect.stringMatching(/^198\.51/), subject: null };
    expect(entries).toMatchObject([
      { action: 'account_added', ...BY_ADMIN, subject, detail: 'editor' },
      { action: 'role_changed', ...BY_ADMIN, subject, detail: 'viewer' },
      { action: 'account_disabled', ...BY_ADMIN, subject },
      { action: 'account_enabled', ...BY_ADMIN, subject },
      { action: 'password_changed', ...BY_ADMIN, subject },
      { action: 'logged_in', ...byOwn, ...fromElsewhere },
      { action: 'logged_out', ...byOwn, address: HOME },
      { action: 'token_created', ...BY_ADMIN, subject: 'nightly', detail: 'viewer' },
      { action: 'token_revoked', ...BY_ADMIN, subject: 'nightly' },
      { action: 'logged_in', ...byOwn, ...fromElsewhere },
      { action: 'password_changed', ...byOwn, address: HOME, subject },
    ]);
    for (const entry of entries) expect(entry).not.toHaveProperty('post_id');
    const [first] = await read('?author_kind=command&author_name=start');
    expect(first).toMatchObject({ action: 'account_added', subject: 'admin', address: null });
  });

  it('has one entry per account and address for failed log-ins, for administrators, without unknown names', async () => {
    const { username } = await admin.addAccount();
    const from = newAddress();
    const entries = await entriesOf(async () => {
      await Promise.all([1, 2, 3].map(() => tryLogIn(service, username, 'wrong', from)));
      await tryLogIn(service, SECRET, SECRET, from);
      await poll(async () => countOf(await read('?action=login_failed'))).toBe(4);
    });
    const byNobody = { author: { kind: 'api', name: null }, address: from['X-Forwarded-For'] };
    expect(entries).toHaveLength(2);
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'login_failed', ...byNobody, subject: username, count: 3 }),
        expect.objectContaining({ action: 'login_failed', ...byNobody, subject: null, count: 1 }),
      ]),
    );
    expect((await admin.get('changes/?limit=1000')).text).not.toContain(SECRET);

    const editor = await admin.addPerson('editor');
    const seen = await read('?limit=1000', editor);
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.filter(({ action, address }) => action === 'login_failed' || address !== null)).toEqual([]);
    expect(await read('?action=login_failed', editor)).toEqual([]);
    expect((await editor.get('dashboard/')).text).not.toContain('"address":"');
  });

  it('has at most 51 entries an hour for failed log-ins', async () => {
    const { service: flooded, admin: its } = await startAdminService();
    const audit = flooded.app.get(AuditService);
    for (let n = 0; n < 200; n += 1) {
      const author = { kind: 'api', name: undefined, address: `2001:db8:${n}::/64` } as const;
      audit.count({ action: 'login_failed', author });
    }
    let entries: ChangeDto[] = [];
    await until(async () => {
      entries = await read('?action=login_failed&limit=1000', its);
      return countOf(entries) === 200;
    });
    expect(entries).toHaveLength(51);
    expect(entries[0]).toMatchObject({ address: null, subject: null });
    expect(entries[0]!.count).toBeGreaterThanOrEqual(150);
  });

  it('logs exports by sessions and tokens, but neither pages of lists nor anonymous exports', async () => {
    const entries = await entriesOf(async () => {
      const csv = { ...asAdmin, Accept: 'text/csv' };
      await service.get('/posts/', csv);
      await service.get('/posts/', csv);
      await service.get('/posts/?limit=5', csv);
      await service.get('/posts/', asAdmin);
      await service.request('HEAD', '/posts/', { headers: csv });
      await service.get('/posts/', { Accept: 'text/csv' });
      await until(async () => (await read('?action=exported'))[0]?.count === 2);
    });
    expect(entries).toMatchObject([{ action: 'exported', ...BY_ADMIN, detail: 'text/csv', count: 2 }]);
  });

  it('logs each export of the site with its format, number and filter before its first post', async () => {
    const posts = await service.createAll([
      { title: '=1+1 exported', pub_date: '2001-01-01T00:00:00Z' },
      { title: 'exported, 2', pub_date: '2001-01-01T00:00:00Z' },
    ]);
    const filter = 'pub_date_before=2002-01-01';
    const [csv, european, ndjson] = await entriesOf(async () => {
      const table = await admin.send('POST', `exports/?${filter}`, { format: 'csv' });
      const fields = { 'content-type': 'text/csv; charset=utf-8', 'x-total-count': '2' };
      expect(table.headers).toMatchObject(fields);
      expect(table.text).toMatch(/^\ufeffid,title,.*,export_fingerprint\r\n\d+,'=1\+1 exported,/);
      const semicolons = await admin.send('POST', `exports/?${filter}`, {
        format: 'csv-semicolon',
      });
      expect(semicolons.text).toMatch(/^\ufeffid;title;.*;export_fingerprint\r\n\d+;'=1\+1 exported;/);
      const lines = await admin.send('POST', 'exports/', { format: 'ndjson', ids: [posts[1]!.id] });
      expect(JSON.parse(lines.text)).toEqual({ ...posts[1], export_fingerprint: expect.any(String) });
    });
    expect(csv).toMatchObject({ action: 'exported', ...BY_ADMIN, detail: `CSV, 2 posts, ${filter}` });
    expect(european).toMatchObject({ detail: `CSV with semicolons, 2 posts, ${filter}` });
    expect(ndjson).toMatchObject({ action: 'exported', detail: 'NDJSON, 1 post, selected by hand' });
    jest.spyOn(service.app.get(AuditService), 'recordAlone').mockRejectedValueOnce(new Error('no log'));
    expect((await admin.send('POST', 'exports/', { format: 'csv' })).status).toBe(500);
    const faultsOf = async (query: string) =>
      (await admin.send('POST', `exports/${query}`, { format: 'xlsx' })).faultyPlaces;
    expect(await faultsOf('?colour=red')).toEqual(['parameter colour']);
    expect(await faultsOf('')).toEqual(['pointer /format']);
  });

  it('is filtered, and read in pages', async () => {
    const start = new Date().toISOString();
    const { username, headers } = await AdminClient.logIn(
      service,
      (await admin.addAccount({ username: 'Filter_ 100%', role: 'editor' })).username,
    );
    const [a, b] = await service.createAll([{ title: 'Größe 1' }, { title: 'Größe 2' }]);
    await service.put(`/posts/${a!.id}/`, { title: 'Größe 3', body: '' }, headers);
    await service.delete(`/posts/${b!.id}/`, asAdmin);
    const all = [
      ['deleted', b!.id, 'Größe 2'],
      ['changed', a!.id, 'Größe 3'],
      ['created', b!.id, 'Größe 2'],
      ['created', a!.id, 'Größe 1'],
    ];
    const since = `after=${encodeURIComponent(start)}`;
    const found = async (query: string) =>
      (await read(`?${query}`)).map(({ action, post_id, title }) => [action, post_id, title]);
    expect((await found(since)).slice(0, 4)).toEqual(all);
    expect(await found(`${since}&author_kind=api`)).toEqual(all.slice(2));
    expect(await found(`${since}&author_name=admin&action=deleted`)).toEqual([all[0]]);
    expect(await found(`${since}&author_name=R_%20100%25&action=changed`)).toEqual([all[1]]);
    expect(await found(`${since}&action=created`)).toEqual(all.slice(2));
    expect(await found(`post_id=${a!.id}`)).toEqual([all[1], all[3]]);
    expect(await found(`subject=${encodeURIComponent('öße')}&limit=2`)).toEqual(all.slice(0, 2));
    const [capital] = await service.createAll([{ title: 'Eine ÄRZTIN' }]);
    expect(await found(`subject=${encodeURIComponent('ÄRZT')}`)).toEqual([
      ['created', capital!.id, 'Eine ÄRZTIN'],
    ]);
    expect(await found(`after=2020-01-01&before=${encodeURIComponent(start)}&limit=1000`)).not.toContainEqual(
      all[3],
    );
    expect((await read('?subject=ilter_')).map(({ action }) => action)).toEqual(['account_added']);
    const by = (name: string) => read(`?author_name=${encodeURIComponent(name)}`);
    expect(await by(username)).toHaveLength(2);
    expect(await by('filterx')).toEqual([]);

    const entries = await read('?limit=1000');
    const first = await admin.get('changes/?limit=3');
    const second = await linkOf(first, 'next');
    expect([...first.json<ChangeDto[]>(), ...second.json<ChangeDto[]>()]).toEqual(entries.slice(0, 6));
    expect((await linkOf(second, 'prev')).json()).toEqual(first.json());
    // In another order than the service reads them.
    const created = await admin.get('changes/?author_kind=api&action=created&limit=1');
    expect((await linkOf(created, 'next')).json()).toEqual([entries[3]]);
    const { faultyPlaces } = await admin.get(
      'changes/?action=eaten&author_kind=dog&post_id=0&after=yesterday',
    );
    const names = ['action', 'after', 'author_kind', 'post_id'];
    expect(faultyPlaces.toSorted()).toEqual(names.map((name) => `parameter ${name}`));
  });

  it('has one entry for one action on many posts, which lists these posts in pages', async () => {
    const ids = await createPosts(3);
    const [deleted, restored] = await entriesOf(async () => {
      await sendBulk('bulk-deletions', ids);
      await sendBulk('restorations', ids);
    });
    expect(deleted).toMatchObject({ action: 'deleted', ...BY_ADMIN, post_count: 3, title: null });
    expect(restored).toMatchObject({ action: 'restored', ...BY_ADMIN, post_count: 3 });
    const all = await postsOf(deleted!.id);
    expect(all).toEqual([2, 1, 0].map((n) => ({ post_id: ids[n], title: `Post ${n}` })));
    const page = await admin.get(`changes/${deleted!.id}/posts/?limit=2`);
    expect((await linkOf(page, 'next')).json()).toEqual(all.slice(2));
    expect(await read(`?post_id=${ids[0]}&action=deleted`)).toMatchObject([
      { post_id: ids[0], title: 'Post 0', ...BY_ADMIN },
    ]);

    await sendBulk('bulk-deletions', ids);
    const [purged] = await entriesOf(() => sendBulk('purges', ids));
    expect(purged).toMatchObject({ action: 'purged', ...BY_ADMIN, post_count: 3 });
    expect(purged).not.toHaveProperty('post_id');
    // A purge removes all earlier entries of its posts.
    expect(await postsOf(deleted!.id)).toEqual([]);
    expect((await postsOf(purged!.id)).map(({ post_id }) => post_id)).toEqual(ids.toReversed());
  });

  it('has one entry for an import, which lists its posts that still exist, and is found by each id', async () => {
    const lines = Array.from({ length: 700 }, (_, n) => JSON.stringify({ title: `i ${n}`, body: '' }));
    let first = 0;
    const [entry, ...others] = await entriesOf(async () => {
      first = (await service.import(lines.join('\n'), asAdmin)).json<{ first_id: number }>().first_id;
    });
    expect(entry).toEqual({
      id: expect.any(Number),
      post_count: 700,
      action: 'imported',
      at: expect.any(String),
      ...BY_ADMIN,
      title: null,
      subject: null,
      detail: null,
      count: 1,
    });
    expect(others).toEqual([]);
    expect(await read(`?post_id=${first + 300}`)).toMatchObject([{ action: 'imported', ...BY_ADMIN }]);
    const revisions = await admin.get(`posts/${first + 300}/revisions/`);
    expect(revisions.json()).toMatchObject([{ number: 1, action: 'imported', ...OWN }]);
    await service.delete(`/posts/${first + 698}/`);
    const page = await admin.get(`changes/${entry!.id}/posts/?limit=600`);
    const shown = [...page.json<object[]>(), ...(await linkOf(page, 'next')).json<object[]>()];
    const existing = Array.from({ length: 700 }, (_, n) => ({ post_id: first + n, title: `i ${n}` }));
    expect(shown).toEqual(existing.toSpliced(698, 1).toReversed());
    expect((await admin.get('changes/999999/posts/')).status).toBe(404);
  });
});
