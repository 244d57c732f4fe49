import * as fc from 'fast-check';
import { Database } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';
import { quote } from '../../src/posts/posts.sql.js';
import type { PostJson } from '../support/posts.js';
import { checkProperty } from '../support/properties.js';
import { startService } from '../support/service.js';

const service = await startService();
afterAll(() => service.stop());

/** Every character that a text may contain, up to U+FFFF, and some beyond. */
const CHARACTERS = Array.from({ length: 0x1_00ff }, (_, index) => index + 1)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .join('');

/** A list is written by the database, and a single post by `JSON.stringify`. */
async function expectSameText(post: Pick<PostJson, 'title' | 'pub_date' | 'body'>): Promise<void> {
  const { path, id } = await service.create(post);
  const { text: whole } = await service.get(path);
  const page = await service.get(`/posts/?id=${id}`);
  expect(page.text).toBe(`[${whole}]`);
  const lines = await service.get(`/posts/?id=${id}`, { Accept: 'application/x-ndjson' });
  expect(lines.text).toBe(`${whole}\n`);
  const { title, pub_date, body } = JSON.parse(whole) as PostJson;
  expect({ title, body }).toEqual({ title: post.title, body: post.body });
  const part = await service.get(`/posts/?id=${id}&fields=pub_date,body`);
  expect(part.text).toBe(JSON.stringify([{ pub_date, body }]));
}

describe('the text of a list', () => {
  it('is that of its posts, with any character', async () => {
    await expectSameText({
      title: '\u0001"\\/<\u007f\u2028\r\n😀',
      pub_date: '2026-01-01',
      body: CHARACTERS,
    });
  });

  it.each([
    '2026-01-01T00:00:00.123456Z',
    '0001-01-01',
    '9999-12-31T23:59:59.999000Z',
    '2026-01-01T00:00:00.000001Z',
  ])('has the form of the date %s', async (date) => {
    await expectSameText({ title: 'a', pub_date: date, body: '' });
  });

  it('has null for a text that is null', async () => {
    const { dialect, reader } = service.app.get(Database);
    const text = quote(dialect, sql`CAST(NULL AS text)`);
    expect(await reader.all(sql`SELECT format('{"a":%s}', ${text}) AS "json"`, {})).toEqual([
      { json: '{"a":null}' },
    ]);
  });

  it('is that of its posts, with any text', async () => {
    const title = fc.string({ unit: 'binary', maxLength: 50 }).filter((text) => text.trim() !== '');
    const body = fc.string({ unit: 'binary', maxLength: 500 });
    const isStorable = (text: string): boolean => !text.includes('\0');
    const posts = fc.tuple(title.filter(isStorable), body.filter(isStorable));
    await checkProperty(
      fc.asyncProperty(posts, ([aTitle, aBody]) =>
        expectSameText({ title: aTitle, pub_date: '2026-01-01', body: aBody }),
      ),
      30,
    );
  });
});
