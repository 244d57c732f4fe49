import type { Response } from 'express';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { headOf } from '../../../test/support/raw-exchange.js';
import { until } from '../../../test/support/until.js';
import { ClientGone } from '../client/client-gone.js';
import { writeStream } from './stream-writer.js';

describe('writeStream', () => {
  it.each(['identity', 'gzip'] as const)(
    'asks for the next text only when the client has read the one before it: %s',
    async (coding) => {
      // More than the socket buffers hold; random, so that gzip hardly compresses it.
      const text = randomBytes(12 * 1_024 * 1_024).toString('base64');
      let asked = 0;
      const texts = (async function* () {
        while (asked < 2) {
          asked += 1;
          yield text;
        }
      })();
      const { signal } = new AbortController();
      const server = createServer((_, response) => {
        const head = () => response.writeHead(200);
        void writeStream(signal, response as unknown as Response, texts, coding, head);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
      client.write(headOf('GET /', 'Connection: close'));
      await new Promise((readable) => client.once('readable', readable));
      for (let each = 0; each < 100; each += 1) await turn();
      expect(asked).toBe(1);

      client.resume();
      await until(() => client.destroyed);
      expect(asked).toBe(2);
      server.close();
    },
  );

  it('ends when the client has gone while it waits for the client to read', async () => {
    const response = new Writable({ highWaterMark: 1, write: () => undefined });
    const gone = new AbortController();
    let isEnded = false;
    const texts = (async function* () {
      try {
        yield 'one';
        yield 'two';
      } finally {
        isEnded = true;
      }
    })();
    const writing = writeStream(
      gone.signal,
      response as unknown as Response,
      texts,
      'identity',
      () => undefined,
    );
    const outcome = writing.catch((error: unknown) => error);
    await until(() => response.writableLength > 0);
    await turn();
    gone.abort();
    await until(() => isEnded);
    expect(await outcome).toBeInstanceOf(ClientGone);
  });
});
