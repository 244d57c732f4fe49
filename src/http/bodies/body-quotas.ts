import { ClientQuota, type Release } from '../../limits/index.js';
import { TooBusy } from '../../problem-details/index.js';

const MAX_BODIES = 1_024;
/**
 * Decoders that work at once, each with a thread of libuv, which SQLite needs too. (Measured, 64 bodies that inflate to the
 * limit delayed a small write by up to 1.9 s.)
 */
const MAX_DECODING = 4;
const MAX_DECODING_WAIT_MS = 6_000;
/** Each import uses the event loop, a file and a thread for decompression. */
const MAX_IMPORTS = 16;
/** The first bytes of each body are not counted, so that there is always room for small bodies. */
const SMALL_BYTES = 65_536;
/**
 * The number of bodies of the maximum size that fit at once, one of them of one client. While a body is processed, it
 * takes several times its size.
 */
const LARGEST_BODIES = 4;
/** What a body takes besides its bytes, such as a decoder. */
const OVERHEAD_BYTES = 1_048_576;
/** With a small MAX_BODY_BYTES, the number of clients determines the memory, not the size of their bodies. */
const MIN_BYTES = 67_108_864;
/** Chunks of a body that is sent byte by byte cost this much each. */
const MIN_CHUNK_BYTES = 256;

/** Limits the bodies that are read or held at once, and their bytes. */
export class BodyQuotas {
  readonly bodies = new ClientQuota(MAX_BODIES);
  readonly imports = new ClientQuota(MAX_IMPORTS);
  /** A body waits for its place with each chunk that it decodes. */
  readonly decoding = new ClientQuota(MAX_DECODING, MAX_DECODING_WAIT_MS, MAX_BODIES);
  readonly bytes: ClientQuota;
  readonly unread = new UnreadImports();

  constructor(maxBodyBytes: number) {
    this.bytes = new ClientQuota(Math.max(LARGEST_BODIES * (maxBodyBytes + OVERHEAD_BYTES), MIN_BYTES));
  }
}

/** The imports that have bytes which their readers have not taken yet, in the order in which they began to wait. */
class UnreadImports {
  readonly #ofClients = new Map<string, Map<BodyShare, () => void>>();

  /** Does nothing when it waits already. @param onFirst called when the imports of its client before it have gone */
  add(share: BodyShare, onFirst: () => void): void {
    const bodies = this.#ofClients.get(share.client);
    if (!bodies) this.#ofClients.set(share.client, new Map([[share, onFirst]]));
    else if (!bodies.has(share)) bodies.set(share, onFirst);
  }

  has(share: BodyShare): boolean {
    return this.#ofClients.get(share.client)?.has(share) ?? false;
  }

  /** Whether it is the first one of its client. */
  isFirst(share: BodyShare): boolean {
    return this.#ofClients.get(share.client)?.keys().next().value === share;
  }

  remove(share: BodyShare): void {
    const bodies = this.#ofClients.get(share.client);
    const wasFirst = this.isFirst(share);
    if (!bodies?.delete(share)) return;
    if (bodies.size === 0) this.#ofClients.delete(share.client);
    else if (wasFirst) bodies.values().next().value!();
  }
}

/** What the body of one request holds until the response is complete: a place among the bodies, and bytes. */
export class BodyShare {
  #bytes = 0;
  #counted = 0;
  #isOpen = true;
  readonly #places: ClientQuota;

  /** @throws TooBusy */
  constructor(
    readonly client: string,
    private readonly quotas: BodyQuotas,
    private readonly isImport: boolean,
  ) {
    this.#places = isImport ? quotas.imports : quotas.bodies;
    this.#places.takeNow(client);
  }

  /** How many bytes it holds. */
  get heldBytes(): number {
    return this.#bytes;
  }

  /** @throws TooBusy */
  hold(bytes: number): void {
    if (this.holdIfRoom(bytes)) return;
    // At once, so that not all bodies are refused when all of them need more at the same time.
    this.release();
    throw new TooBusy();
  }

  /** @returns false when the client has no room for them, and then nothing changes */
  holdIfRoom(bytes: number): boolean {
    const counted = countedOf(this.#bytes + bytes);
    // An import may still read when its client has disconnected.
    const more = this.#isOpen ? counted - this.#counted : 0;
    if (more > 0 && !this.quotas.bytes.take(this.client, more)) return false;
    this.#bytes += bytes;
    this.#counted += more;
    return true;
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes;
    if (!this.#isOpen) return;
    const less = this.#counted - countedOf(this.#bytes);
    if (less > 0) this.quotas.bytes.give(this.client, less);
    this.#counted -= less;
  }

  /** Holds a chunk until the end. @throws TooBusy */
  holdChunk({ length }: Buffer): void {
    this.hold(Math.max(length, MIN_CHUNK_BYTES));
  }

  /**
   * Call it when bytes wait for the reader of the body. Imports wait for each other; whole bodies are read as they arrive.
   *
   * @param onFirst called when it becomes the first import of its client whose bytes wait, if it is not now
   */
  beginToWait(onFirst: () => void): void {
    if (this.isImport) this.quotas.unread.add(this, onFirst);
  }

  /** Call it when the reader has taken everything, or when there is no more to read. */
  endWaiting(): void {
    this.quotas.unread.remove(this);
  }

  /** Whether its bytes wait, before those of all other imports of its client. */
  get isFirst(): boolean {
    return this.quotas.unread.isFirst(this);
  }

  /** Whether its bytes wait, behind those of another import of its client. */
  get isBehind(): boolean {
    return this.quotas.unread.has(this) && !this.isFirst;
  }

  /** Waits for a thread that decodes a chunk. @throws TooBusy @throws the signal's reason */
  waitToDecode(signal: AbortSignal): Promise<Release> {
    return this.quotas.decoding.wait({ name: this.client, signal });
  }

  release(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#places.give(this.client);
    this.quotas.bytes.give(this.client, this.#counted);
  }
}

/** How many of the bytes that a body holds are counted. */
function countedOf(bytes: number): number {
  return Math.max(0, bytes - SMALL_BYTES);
}
