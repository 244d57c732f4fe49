import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeInBrowser, TestBrowser } from '../support/browser.js';
import { listOf, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';
import { poll } from '../support/until.js';

/** The program of the documentation. */
const [, PROGRAM] = /```js\n(let position[^`]*)```/.exec(readFileSync('docs/api/README.md', 'utf8'))!;

/** A proxy that breaks its connections, and answers 502 while it has no service. */
class Proxy {
  hasService = true;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => {
    this.#add(client);
    if (this.hasService) {
      const server = connect(this.port, '127.0.0.1');
      this.#add(server);
      client.pipe(server).pipe(client);
    } else {
      client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    }
  });

  constructor(private readonly port: number) {}

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  async stop(): Promise<void> {
    this.breakConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
  }
}

describeInBrowser('EventSource', () => {
  const browser = new TestBrowser({});
  beforeAll(() => browser.start());
  afterAll(() => browser.stop());
  afterEach(() => browser.closePages());

  it('misses nothing while eight clients write, its connection breaks, and a proxy refuses it', async () => {
    const service = await startService();
    const proxy = new Proxy(service.port);
    const origin = await proxy.start();
    const { page, complaints } = await browser.newPage(origin);
    complaints.allow('ERR_INCOMPLETE_CHUNKED_ENCODING');
    complaints.allow('ERR_CONNECTION_RESET');
    complaints.allow('ERR_EMPTY_RESPONSE');
    complaints.allowRefusals(502);
    await page.goto(`${origin}/docs/`);
    const copy = new Map<number, string>();
    const late: string[] = [];
    page.on('console', (message) => {
      const [, name, data = ''] = /^(post|deleted) (.*)$/.exec(message.text()) ?? [];
      if (name === undefined) return;
      const { id, title } = JSON.parse(data) as PostJson;
      if (Number(title) < Number(copy.get(id))) late.push(message.text());
      if (name === 'post') copy.set(id, title);
      else copy.delete(id);
    });
    let refusals = 0;
    page.on('response', (response) => (refusals += Number(response.status() === 502)));
    await page.evaluate(PROGRAM!);
    await poll(async () => (await service.get('/metrics')).text).toMatch(/\nposts_streams 1\n/);

    // The first stream fails before it has an event, and the posts are stored before the next one.
    proxy.hasService = false;
    proxy.breakConnections();
    await poll(() => refusals > 0).toBe(true);
    const posts = await service.createAll(Array.from({ length: 16 }, () => ({ title: '0' })));
    proxy.hasService = true;
    await poll(() => copy.size).toBe(posts.length);
    const created: { id: number }[] = [];
    const progress = { isOver: false };
    const write = async (client: number): Promise<void> => {
      for (let round = 1; !progress.isOver; round += 1) {
        for (const { path } of posts.filter((_, index) => index % 8 === client))
          await service.put(path, { title: String(round), body: '' });
        if (round > 10) continue;
        const post = await service.create({ title: '0' });
        if (round % 2 === 0) await service.delete(post.path);
        else created.push(post);
      }
    };
    const writing = Promise.all(Array.from({ length: 8 }, (_, client) => write(client)));
    for (const hasService of [true, false, true]) {
      proxy.hasService = hasService;
      proxy.breakConnections();
      // EventSource comes back after the two seconds of `retry:`, and the program after two more.
      await sleep(2_500);
    }
    progress.isOver = true;
    await writing;
    const stored = (await service.get(listOf([...posts, ...created]))).json<PostJson[]>();
    expect(stored).toHaveLength(posts.length + created.length);
    const titles = new Map(stored.map(({ id, title }) => [id, title]));
    await poll(() => copy).toEqual(titles);
    expect(late).toEqual([]);
    await page.close();
    await proxy.stop();
  });
});
