/** What every server is asked to do. */

/** @param {string} method @param {string} path */
function request(method, path, headers = {}, body = '') {
  const all = { Host: '127.0.0.1', ...headers, ...(body && { 'Content-Type': 'application/json' }) };
  if (body) all['Content-Length'] = Buffer.byteLength(body);
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/**
 * The tasks on a table of that many posts; each makes the bytes of its requests, which are sent in turn, and tells which
 * status they are answered with.
 */
export function makeTasks(posts) {
  const someIds = Array.from({ length: 1000 }, (_, i) => 1 + ((i * 7919) % (posts / 2)));
  const text = 'lorem ipsum dolor sit amet '.repeat(11);
  return [
    { name: 'get one', expect: 200, requests: () => someIds.map((id) => request('GET', `/posts/${id}/`)) },
    {
      name: '304',
      expect: 304,
      // Only ours knows conditional requests; the peers' 200 is what it is compared with.
      requests: () => someIds.map((id) => request('GET', `/posts/${id}/`, { 'If-None-Match': `"${id}-1"` })),
      peersExpect: 200,
    },
    { name: 'list of 20', expect: 200, requests: () => [request('GET', '/posts/?limit=20')] },
    {
      name: 'create',
      expect: 201,
      requests: () => [request('POST', '/posts/', {}, JSON.stringify({ title: 'A new post', body: text }))],
    },
    {
      name: 'replace',
      expect: 200,
      // Of the other half, so that the entity tags of those above keep holding; never twice with the same content.
      requests: () =>
        someIds.map((_, i) =>
          request(
            'PUT',
            `/posts/${posts - i}/`,
            {},
            JSON.stringify({ title: `Replaced ${i}`, body: text + Math.random() }),
          ),
        ),
    },
  ];
}
