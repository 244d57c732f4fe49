/** The requests to a service with a million posts. */
import 'reflect-metadata';
import { encodePageCursor } from '../dist/src/http/response/page-links.js';
import { cursorScope } from '../dist/src/posts/lists/list-request.js';
import { COMMON_WORD, postOf, rareWord } from './corpus.js';
import { quantiles } from './sequential.js';

const WARM_UP = 50;
const PAGES = 400;
const SEARCHES = 200;
/** The posts of a nearly empty service: as few as possible while no request repeats. */
export const SMALL = 2_000;

const range = (count, of) => Array.from({ length: count }, (_, index) => of(index));
const stored = (date) => date.replace('Z', '000Z');

/** The key after which a page starts, near a place in the list: 0 is its start, 1 its end. */
const KEYS = {
  pub_date: (number) => [stored(postOf(number).pub_date), number],
  id: (number) => [number],
  // Titles are in no order, so a sorted sample stands for the order of all titles.
  title: (number, posts) => {
    titles ??= range(TITLES, (index) => postOf(1 + Math.floor((index * posts) / TITLES)).title).toSorted(
      (a, b) => (a < b ? -1 : 1),
    );
    return [titles[Math.floor(((number - 1) * TITLES) / posts)], number];
  },
};

const TITLES = 100_000;
let titles;

/** Pages by cursor. Each has its own cursor near the place. */
function pagesAt(place, ordering, posts, filter) {
  const descending = ordering.startsWith('-');
  const keyOf = KEYS[ordering.replace('-', '')];
  const steps = PAGES + WARM_UP;
  const first = Math.max(1, Math.min(posts - steps - 40, Math.floor(place * posts)));
  const parameters = { ordering, ...filter };
  const scope = cursorScope(parameters);
  const query = new URLSearchParams({ ...parameters, limit: '20' });
  return range(steps, (step) => {
    const number = descending ? posts - first - step : first + step;
    return `/posts/?${query}&cursor=${encodePageCursor({ scope, direction: 'next', key: keyOf(number, posts) })}`;
  });
}

async function timesOf(client, paths, headers) {
  await client.times(paths.slice(0, WARM_UP), headers);
  return client.times(paths.slice(WARM_UP), headers);
}

/** Alternates between the lists, so that other load on the machine affects all of them. @returns the medians */
async function timesInTurns(client, lists) {
  const times = lists.map(() => []);
  for (const step of lists[0].keys()) {
    for (const [index, paths] of lists.entries()) {
      const { highest } = await client.times([paths[step]]);
      if (step >= WARM_UP) times[index].push(highest);
    }
  }
  return times.map((each) => quantiles(each).p50);
}

/**
 * @returns table rows: the ordering, the times at the start, the middle and the end, and the slowest divided by the
 * fastest
 */
export async function measurePages(client, posts) {
  const rows = [];
  const after = { pub_date_after: postOf(Math.floor(posts * 0.001) + 1).pub_date };
  const lists = ['-pub_date', 'pub_date', '-id', 'id', 'title', '-title'].map((ordering) => ({
    ordering,
    filter: {},
  }));
  for (const { ordering, filter } of [...lists, { ordering: '-pub_date', filter: after }]) {
    const times = await timesInTurns(
      client,
      [0, 0.5, 0.98].map((place) => pagesAt(place, ordering, posts, filter)),
    );
    const ratio = Math.max(...times) / Math.min(...times);
    const name = filter === after ? `${ordering}, pub_date_after` : ordering;
    rows.push([name, ...times.map((time) => time.toFixed(2)), ratio.toFixed(2)]);
  }
  return rows;
}

/** @returns table rows: the offset, p50 and p99 */
export async function measureOffsets(client, offsets) {
  const rows = [];
  for (const offset of offsets) {
    const paths = range(20, (step) => `/posts/?limit=20&offset=${Math.max(0, offset - step)}`);
    const { p50, p99 } = await client.times(paths);
    rows.push([offset.toLocaleString('en'), p50.toFixed(2), p99.toFixed(2)]);
  }
  return rows;
}

/** Measures reads by id. Each round reads a fifth of the ids that the small service has, so that no path repeats. */
export async function measureById(client, posts, round) {
  const step = Math.floor(posts / SMALL);
  const share = SMALL / 5;
  return timesOf(
    client,
    range(share, (index) => `/posts/${1 + (round * share + index) * step}/`),
  );
}

/** Search ignores punctuation, but it makes the URL unique. */
const dots = (index) => '.'.repeat(index);

export async function measureSearches(client, posts) {
  const searchFor = (texts) =>
    timesOf(
      client,
      texts.map((text) => `/posts/?limit=20&search=${encodeURIComponent(text)}`),
    );
  const steps = WARM_UP + SEARCHES;
  const rare = (index) => rareWord(10 * (1 + Math.floor(((posts / 10 - 1) * index) / steps)));
  return {
    rare: await searchFor(range(steps, rare)),
    common: await searchFor(range(steps, (index) => `${COMMON_WORD}${dots(index)}`)),
    prefix: await searchFor(range(steps, (index) => `every${dots(index)}`)),
    pair: await searchFor(range(steps, (index) => `${COMMON_WORD} ${rare(index)}`)),
    middling: await searchFor(range(steps, (index) => `${postOf(index + 1).title.split(' ')[0]} `)),
    none: await searchFor(range(steps, (index) => `nowhere${index}`)),
  };
}

/** Counts right after a write, so that the service cannot use a cached response. */
export async function measureCounts(client) {
  const times = [];
  for (let index = 0; index < 50; index++) {
    await client.send('/posts/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'counted', body: '' }),
    });
    const startedAt = performance.now();
    await client.send('/posts/?limit=1', { headers: { Prefer: 'count=exact' } });
    times.push(performance.now() - startedAt);
  }
  return times;
}
