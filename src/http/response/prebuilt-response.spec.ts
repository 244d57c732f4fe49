import { jest } from '@jest/globals';
import type { Response } from 'express';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { rawExchange } from '../../../test/support/raw-exchange.js';
import { type Head, linesOf, sendPrebuilt, sendsHeaderText } from './prebuilt-response.js';

const FIELDS = { 'Content-Type': 'text/plain', Vary: 'Accept', ETag: '"7-1"' };
const OWN = { 'X-Request-Id': 'an-id' };

interface Sending {
  readonly status?: number;
  readonly body?: string | Buffer;
  readonly fields?: Readonly<Record<string, string>>;
  /** Prepares the response. */
  readonly prepare?: (response: ServerResponse) => void;
}

let sending: Sending;
let head: Head;
/** For each response to `/ours`, whether it was sent without `writeHead`. */
let prebuilt: boolean[];

/** Responds to `/ours` by `sendPrebuilt`, if it can, and to other paths by `writeHead`. */
const server = createServer((incoming, outgoing) => {
  const { status = 200, body = 'a body', prepare } = sending;
  prepare?.(outgoing);
  const sent = incoming.method === 'HEAD' || status === 304 ? '' : body;
  const bytes = Buffer.byteLength(sent);
  const isOurs = incoming.url === '/ours';
  const isSent = isOurs && sendPrebuilt(outgoing as unknown as Response, head, linesOf(OWN), sent, bytes);
  if (isOurs) prebuilt.push(isSent);
  if (!isSent) outgoing.writeHead(status, { ...head.fields, ...OWN }).end(sent);
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

const request = (line: string, ...fields: string[]): string =>
  [line, 'Host: a.test', ...fields, '', ''].join('\r\n');

/** Sends the requests to the target, then one that closes the connection. @returns everything received */
async function exchange(target: string, requests: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const all = `${requests}${request('GET * HTTP/1.1', 'Connection: close')}`.replaceAll('*', target);
  const startedAt = Date.now();
  const responses = await rawExchange(port, all);
  for (const [date] of responses.matchAll(/^Date: .*$/gm)) {
    // Date has whole seconds, and Node caches it for one second.
    expect(Date.parse(date.slice(6))).toBeGreaterThan(startedAt - 2_000);
    expect(Date.parse(date.slice(6))).toBeLessThanOrEqual(Date.now());
  }
  return responses.replaceAll(/^Date: .*$/gm, 'Date: then');
}

const GET = request('GET * HTTP/1.1');
const stop = (response: ServerResponse) => void (response.shouldKeepAlive = false);
const vary = (response: ServerResponse) => void response.setHeader('Vary', 'Origin');
/** As on-headers does, which express-session, compression and response-time use. */
const patch = (response: ServerResponse) => {
  const original = response.writeHead.bind(response);
  response.writeHead = (...args: [number]) => {
    response.setHeader('Set-Cookie', 'a=b');
    return original(...args);
  };
};

describe('sendPrebuilt', () => {
  // The last column: which of the responses are sent without writeHead.
  it.each<[string, string, Sending, boolean[]]>([
    ['pipelined requests', GET.repeat(3), {}, [true, true, true]],
    ['HEAD', request('HEAD * HTTP/1.1'), {}, [true]],
    ['a 304', GET, { status: 304 }, [true]],
    ['a body beyond ASCII', GET, { body: 'é😀' }, [true]],
    ['bytes', GET, { body: Buffer.from([0, 127, 128, 255]) }, [true]],
    ['a large body', GET, { body: 'x'.repeat(1_000_000) }, [true]],
    ['Connection: close', request('GET * HTTP/1.1', 'Connection: close'), {}, [false]],
    ['a response that closes the connection', GET, { status: 408, fields: { Connection: 'close' } }, [false]],
    ['HTTP/1.0', request('GET * HTTP/1.0'), {}, [false]],
    ['Expect', request('GET * HTTP/1.1', 'Expect: 100-continue'), {}, [false]],
    ['a server that is stopping', GET, { prepare: stop }, [false]],
    ['a field that was set before', GET, { prepare: vary }, [false]],
    ['a middleware that replaces writeHead', GET, { prepare: patch }, [false]],
  ])('sends the same bytes as writeHead does: %s', async (_, requests, parts, ready) => {
    sending = parts;
    const { status = 200, body = 'a body', fields } = parts;
    const length = { 'Content-Length': String(Buffer.byteLength(body)) };
    head = { status, untilMs: Infinity, fields: { ...FIELDS, ...fields, ...(status !== 304 && length) } };
    const expected = await exchange('/node', requests);
    prebuilt = [];
    expect(await exchange('/ours', requests)).toBe(expected);
    // The last request, which closes the connection, is not part of the case.
    expect(prebuilt.slice(0, ready.length)).toEqual(ready);
  });

  it('steps aside for a tool that replaces writeHead of all responses', async () => {
    sending = {};
    head = { status: 200, untilMs: Infinity, fields: { ...FIELDS, 'Content-Length': '6' } };
    const writeHead = jest.spyOn(ServerResponse.prototype, 'writeHead');
    prebuilt = [];
    await exchange('/ours', GET);
    writeHead.mockRestore();
    await exchange('/ours', GET);
    expect(prebuilt).toEqual([false, false, true, false]);
  });

  it('needs a version of Node that sends the text of the header', () => {
    class RenamedResponse extends ServerResponse {
      declare _header: unknown;
    }
    const renamed = new RenamedResponse(new IncomingMessage(new Socket()));
    Object.defineProperty(renamed, '_header', { value: undefined });
    expect([sendsHeaderText(), sendsHeaderText(renamed)]).toEqual([true, false]);
  });

  it.each<Record<string, string>>([{ Link: 'a\r\nSet-Cookie: b' }, { 'Link\r\nSet-Cookie': 'b' }])(
    'refuses line breaks in field names and values: %j',
    (fields) => {
      expect(() => linesOf(fields)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^ERR_INVALID/) }),
      );
    },
  );
});
