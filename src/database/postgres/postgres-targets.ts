import { Client, type ClientConfig } from 'pg';
import type { TargetedPoolOptions } from '../data-source-options.js';
import { READ_ONLY_SERVER } from './postgres-fault.js';

type OnConnected = ((error: Error) => void) & ((error: null, client: Client) => void);

/**
 * Makes a pool's clients try every server of the URL, with and without TLS as its `sslmode` says. A client that fails
 * to connect makes the next client use the next server. So the caller tries to connect as often as there are URLs.
 */
export function withTargets(options: TargetedPoolOptions): TargetedPoolOptions {
  const { urls, mustWrite } = options.target;
  let current = 0;

  class TargetClient extends Client {
    readonly #target = current;

    constructor(config?: ClientConfig) {
      super({ ...config, connectionString: urls[current]! });
    }

    override connect(): Promise<Client>;
    override connect(callback: OnConnected): void;
    override connect(callback?: OnConnected): Promise<Client> | void {
      const connected = this.#connectHere();
      if (!callback) return connected;
      connected.then((client) => callback(null, client), callback);
    }

    async #connectHere(): Promise<Client> {
      try {
        await super.connect();
        if (mustWrite) await this.#assertWritable();
        return this;
      } catch (error) {
        // Another client may have advanced `current` already.
        if (current === this.#target) current = (current + 1) % urls.length;
        throw error;
      }
    }

    async #assertWritable(): Promise<void> {
      const { rows } = await this.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
      if (rows[0]!.transaction_read_only === 'off') return;
      void this.end();
      throw new Error(READ_ONLY_SERVER);
    }
  }

  if (urls.length === 1 && !mustWrite) return options;
  return Object.assign(options, { Client: TargetClient });
}
