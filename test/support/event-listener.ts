import { type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http';
import type { Service } from './service.js';
import { poll } from './until.js';

/** An event as a client of Server-Sent Events sees it. */
export interface ReceivedEvent {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

/** A client that listens to changes, and understands the format as the HTML standard says. */
export class EventListener {
  readonly events: ReceivedEvent[] = [];
  /** Everything received so far. */
  text = '';
  /** What `EventSource` would send as `Last-Event-ID`. */
  lastEventId = '';
  isEnded = false;
  #rest = '';

  private constructor(
    private readonly request: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#read(chunk));
    response.on('error', () => undefined);
    response.on('close', () => (this.isEnded = true));
  }

  /** Resolves when the head and the first position were received. */
  static async open(
    port: number,
    query = '',
    headers: Readonly<Record<string, string>> = {},
  ): Promise<EventListener> {
    const request = openRequest({
      host: '127.0.0.1',
      port,
      path: `/posts/${query}`,
      agent: false,
      headers: { Accept: 'text/event-stream', ...headers },
    });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject).end();
    });
    const listener = new EventListener(request, response);
    if (response.statusCode === 200) await poll(() => listener.lastEventId !== '').toBe(true);
    return listener;
  }

  /** The last content of each post, by its id; undefined when it was deleted. */
  get copy(): Map<number, unknown> {
    const copy = new Map<number, unknown>();
    for (const { event, data } of this.events) {
      const { id } = data as { id: number };
      copy.set(id, event === 'post' ? data : undefined);
    }
    return copy;
  }

  /** The events of one post. */
  of(id: number): unknown[] {
    return this.events.map(({ data }) => data as { id: number }).filter((data) => data.id === id);
  }

  close(): void {
    this.request.destroy();
  }

  #read(chunk: string): void {
    this.text += chunk;
    const blocks = (this.#rest + chunk).split('\n\n');
    this.#rest = blocks.pop()!;
    for (const block of blocks) {
      const fields: Record<string, string> = {};
      for (const line of block.split('\n')) {
        const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line)!;
        fields[name] = value;
      }
      this.lastEventId = fields['id'] ?? this.lastEventId;
      const { event = 'message', data } = fields;
      if (data !== undefined) this.events.push({ event, id: this.lastEventId, data: JSON.parse(data) });
    }
  }
}

/** Makes clients that listen to a service until the end of their test. */
export function listenTo(service: Service): (query?: string, headers?: object) => Promise<EventListener> {
  const listeners: EventListener[] = [];
  afterEach(async () => {
    for (const listener of listeners.splice(0)) listener.close();
    await service.untilInFlight(0);
  });
  return async (query = '', headers = {}) => {
    const listener = await EventListener.open(service.port, query, { ...headers });
    listeners.push(listener);
    return listener;
  };
}
