import type { Socket } from 'node:net';
import { clientOf } from '../request/client-address.js';
import { ClientShares } from '../request/client-shares.js';

/** Closes connections beyond the share of an address. A trusted proxy has no limit, because it has many clients. */
export class ConnectionShares {
  readonly #shares: ClientShares;

  constructor(
    total: number,
    perClient: number,
    private readonly isTrustedProxy: (address: string | undefined) => boolean,
  ) {
    this.#shares = new ClientShares(total, perClient);
  }

  readonly accept = (socket: Socket): void => {
    const { remoteAddress } = socket;
    if (this.isTrustedProxy(remoteAddress)) return;
    const share = this.#shares.open(clientOf(remoteAddress));
    if (share.resize(1)) socket.once('close', () => share.release());
    else socket.destroy();
  };
}
