import { listOf } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

describe('Prefer: count=exact', () => {
  it('counts the whole list, only for the requests that send it', async () => {
    const posts = await service.createAll([{}, {}, {}]);
    const headers = { Prefer: 'respond-async, Count = "exact"; foo' };
    for (const query of ['&limit=1&offset=1', '&fields=title', '&fields=title']) {
      const counted = await service.get(listOf(posts, query), headers);
      expect(counted.headers).toMatchObject({ 'x-total-count': '3', 'preference-applied': 'count=exact' });
      expect((await service.get(listOf(posts, query))).headers).not.toHaveProperty('x-total-count');
    }
  });
});

describe('an invalid query parameter', () => {
  /** The values of each name are separated by spaces; the first one may be empty. */
  it.each([
    ['limit', ' 0 -1 1001 1e2 010 10.0 0x10 +5 %205 ten NaN 99999999999999999999'],
    ['offset', ' -1 10001 1.5 00 01 x %00'],
    ['ordering', ' body -body --id +id %2Bid ID pub-date pubDate id,title id%20 version id%20DESC random'],
    ['pub_date_after', ' yesterday 2026-02-30 2026-01-01T00:00:00+01:00 0'],
    ['pub_date_before', ' tomorrow 10000-01-01'],
    ['modified_after', ' 2026-02-30'],
    ['title', ` %20 %00 a%00 ${'a'.repeat(201)} %ff % %ed%a0%80`],
    ['id', ' 0 007 -1 1.0 x 1, ,1 1,,2 1,1 1,01 1%202 1;2 9007199254740992 1-5 * null'],
    ['fields', ' author ID id, ,id id,id id%20 id;title * version pubDate id,title,id __proto__'],
    ['cursor', ' x AAAA %00 %ff null ../../etc/passwd'],
    ...['limt', 'page', '_', '__proto__', 'constructor', 'body', 'Limit', 'limit[]'].map((name) => [
      name,
      '1',
    ]),
  ] as [string, string][])('is refused with its name: %s', async (name, values) => {
    for (const value of values.split(' ')) {
      const { status, faultyPlaces, problem } = await service.get(`/posts/?${name}=${value}`);
      expect([value, status, faultyPlaces]).toEqual([value, 400, [`parameter ${name}`]]);
      expect(problem.errors![0]!.detail).toMatch(/^[A-Z].{10,}\.$/);
    }
  });

  it.each([
    ['limit=5&limit=6', ['limit']],
    ['id=1,2&id=2', ['id']],
    ['fields=id&fields=x', ['fields']],
    ['search=a&search=b', ['search']],
    ['cursor=a&cursor=a', ['cursor']],
    ['limit=&offset=', ['limit', 'offset']],
    ['x=1&y=2', ['x', 'y']],
    ['%ff=1', ['']],
    ['limit=0&ordering=x&id=0&fields=x&offset=-1&z=1', ['z', 'limit', 'offset', 'ordering', 'id', 'fields']],
  ])('is refused together with all other faults: %s', async (query, names) => {
    const response = await service.get(`/posts/?${query}`);
    expect(response.faultyPlaces.toSorted()).toEqual(names.map((name) => `parameter ${name}`).toSorted());
  });

  it.each([
    ['limit=0', 'limit', { code: 'out_of_range', limit: 1000 }, /1 to 1000/],
    ['limit=007', 'limit', { code: 'not_an_integer' }, /1 to 1000/],
    ['offset=10001', 'offset', { code: 'out_of_range', limit: 10_000 }, /0 to 10000.*cursor/],
    ['ordering=x', 'ordering', { code: 'not_one_of' }, /id, -id, title, -title, pub_date, -pub_date/],
    ['fields=x', 'fields', { code: 'not_one_of' }, /id, title, pub_date, body/],
    ['fields=id,id', 'fields', { code: 'repeated' }, /each once/],
    ['id=0', 'id', { code: 'out_of_range', limit: 2 ** 53 - 1 }, /1000 ids.*1 to 9007199254740991/],
    ['id=1,x', 'id', { code: 'not_an_integer' }, /1000 ids/],
    ['id=1,1', 'id', { code: 'repeated' }, /each once/],
    ['pub_date_after=x', 'pub_date_after', { code: 'not_a_date' }, /ISO 8601/],
    ['title=%20', 'title', { code: 'blank' }, /white space/],
    ['search=a%00', 'search', { code: 'null_character' }, /U\+0000/],
    ['search=%ff', 'search', { code: 'not_utf8' }, /UTF-8/],
    ['limit=', 'limit', { code: 'blank' }, /needs a value/],
    ['limit=1&limit=1', 'limit', { code: 'repeated' }, /only once/],
    ['x=1', 'x', { code: 'unknown_parameter' }, /limit, cursor, offset, ordering/],
  ])('is refused with a code and the allowed values: %s', async (query, parameter, fault, detail) => {
    const { errors } = (await service.get(`/posts/?${query}`)).problem;
    expect(errors).toEqual([{ detail: expect.stringMatching(detail), ...fault, parameter }]);
  });

  it('is refused when it lists more than 1000 ids', async () => {
    const ids = Array.from({ length: 1001 }, (_, index) => index + 1);
    for (const query of [ids.join(), ids.join('&id=')]) {
      const { errors } = (await service.get(`/posts/?id=${query}`)).problem;
      expect(errors).toMatchObject([{ code: 'too_many', limit: 1000, parameter: 'id' }]);
    }
  });

  it.each([
    ['HEAD', '/posts/?x=1'],
    ['POST', '/posts/?x=1'],
    ['POST', '/posts/?limit=1'],
    ['PUT', '/posts/?id=1&x=1'],
    ['DELETE', '/posts/?id=1&limit=1'],
    ['GET', '/posts/1/?x=1'],
    ['GET', '/posts/1/?fields=id'],
    ['HEAD', '/posts/1/?x=1'],
    ['PUT', '/posts/1/?x=1'],
    ['DELETE', '/posts/1/?x=1'],
    ['GET', '/?x=1'],
    ['GET', '/problems/?x=1'],
  ])('is refused for every method and path: %s %s', async (method, target) => {
    const body = ['POST', 'PUT'].includes(method) ? { json: { title: 'a', body: 'b' } } : {};
    const response = await service.request(method, target, body);
    expect(response.status).toBe(400);
  });
});

describe('a query', () => {
  it.each(['?', '?&', '?&&limit=1&', '?l%69mit=%31'])('may be written as %s', async (query) => {
    expect((await service.get(`/posts/${query}`)).status).toBe(200);
  });
});
