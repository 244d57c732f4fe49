import type { Socket } from 'node:net';
import { clientOf } from '../request/client-address.js';
import { FairShares, type ShareLimits } from './fair-shares.js';

/** Closes the connections of an address beyond its share. A trusted proxy may have any number: it has many clients. */
export class ConnectionShares {
  readonly #shares: FairShares;

  constructor(
    limits: ShareLimits,
    private readonly isTrustedProxy: (address: string | undefined) => boolean,
  ) {
    this.#shares = new FairShares(limits);
  }

  /** To be called with each new connection. */
  readonly accept = (socket: Socket): void => {
    const { remoteAddress } = socket;
    if (this.isTrustedProxy(remoteAddress)) return;
    const share = this.#shares.open(clientOf(remoteAddress));
    if (share.take(1)) socket.once('close', () => share.release());
    else socket.destroy();
  };
}
