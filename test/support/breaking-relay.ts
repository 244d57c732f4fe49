import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The tag of PostgreSQL's message CommandComplete. */
const COMMITTED = Buffer.from('COMMIT\0');

/** A TCP relay to a PostgreSQL server that breaks the connection of a COMMIT when the server has executed it. */
export class BreakingRelay {
  /**
   * The response to the next COMMIT on a connection that has sent this text is dropped, and the connection with it. The
   * service's own work in the background commits, too, over other connections.
   */
  breaksCommitOf: string | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => {
    const server = connect(this.port, '127.0.0.1');
    const close = (): void => void [client.destroy(), server.destroy()];
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', close).on('close', close);
    }
    let isToBreak = false;
    client.on('data', (sent) => {
      if (this.breaksCommitOf !== undefined && sent.includes(this.breaksCommitOf)) isToBreak = true;
    });
    client.pipe(server);
    server.on('data', (data) => {
      if (isToBreak && data.includes(COMMITTED)) {
        this.breaksCommitOf = undefined;
        close();
      } else {
        client.write(data);
      }
    });
  });

  private constructor(private readonly port: number) {}

  /** @param url of the database */
  static async start(url: string): Promise<BreakingRelay> {
    const relay = new BreakingRelay(Number(new URL(url).port));
    await new Promise<void>((resolve) => relay.#server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  /** The URL of the same database through the relay. */
  urlOf(url: string): string {
    const relayed = new URL(url);
    relayed.hostname = '127.0.0.1';
    relayed.port = String((this.#server.address() as AddressInfo).port);
    return relayed.href;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
