/** The tasks that every server performs. */

/** @param {string} method @param {string} path */
function request(method, path, headers = {}, body = '') {
  const all = { Host: '127.0.0.1', ...headers, ...(body && { 'Content-Type': 'application/json' }) };
  if (body) all['Content-Length'] = Buffer.byteLength(body);
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

const NINE = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** The posts are a minute apart. */
const dateOf = (minute) => new Date(Date.UTC(2020, 0, 1, 0, minute)).toISOString();

/**
 * The tasks for a table with this many posts. Each makes the bytes of its requests, which are sent in turn, and names
 * the expected status. After one that creates posts, the stored ones are counted.
 */
export function makeTasks(posts) {
  const someIds = Array.from({ length: 1000 }, (_, i) => 1 + ((i * 7919) % (posts / 2)));
  // Each id once, from another one in each measurement, so that no cached response is used.
  const allIds = () => {
    const first = Math.floor(Math.random() * posts);
    return Array.from({ length: posts }, (_, i) => 1 + (((first + i) * 7919) % posts));
  };
  const text = 'lorem ipsum dolor sit amet '.repeat(11);
  const replaceLast = () =>
    request('PUT', `/posts/${posts}/`, {}, JSON.stringify({ title: 'The last', body: text + Math.random() }));
  return [
    { name: 'get one', expect: 200, requests: () => someIds.map((id) => request('GET', `/posts/${id}/`)) },
    {
      name: 'get any',
      expect: 200,
      requests: () => allIds().map((id) => request('GET', `/posts/${id}/`)),
    },
    {
      name: '304',
      expect: 304,
      // Only this service supports conditional requests. The peers respond with 200, and the two are compared.
      requests: () => someIds.map((id) => request('GET', `/posts/${id}/`, { 'If-None-Match': `"${id}-1"` })),
      peersExpect: 200,
    },
    { name: 'list of 20', expect: 200, requests: () => [request('GET', '/posts/?limit=20')] },
    {
      name: 'list any',
      expect: 200,
      // Each page once, as with `get any`. The write invalidates the pages that were cached before.
      requests: () => [
        replaceLast(),
        ...allIds().map((minute) => request('GET', `/posts/?limit=20&pub_date_before=${dateOf(minute)}`)),
      ],
    },
    {
      name: 'mixed',
      expect: 200,
      // Nine reads of 200 posts to one replacement.
      requests: () =>
        ['first', 'second'].flatMap((turn) =>
          someIds.slice(0, 200).flatMap((_, i) => {
            const content = { title: `Mixed ${i}, ${turn}`, body: text + Math.random() };
            return [
              ...NINE.map((j) => request('GET', `/posts/${posts - ((i * 9 + j) % 200)}/`)),
              request('PUT', `/posts/${posts - i}/`, {}, JSON.stringify(content)),
            ];
          }),
        ),
    },
    {
      name: 'create',
      expect: 201,
      creates: true,
      requests: () => [request('POST', '/posts/', {}, JSON.stringify({ title: 'A new post', body: text }))],
    },
    {
      name: 'replace',
      expect: 200,
      // These posts are in the other half of the table, so that the entity tags above stay valid. Each has two new
      // contents in turn, because a replacement that changes nothing writes nothing.
      requests: () =>
        ['first', 'second'].flatMap((turn) =>
          someIds.map((_, i) =>
            request(
              'PUT',
              `/posts/${posts - i}/`,
              {},
              JSON.stringify({ title: `Replaced ${i}, ${turn}`, body: text + Math.random() }),
            ),
          ),
        ),
    },
  ];
}
