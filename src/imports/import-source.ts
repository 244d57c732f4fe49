import type { NewPost } from '../posts/post.entity.js';

/** What is imported: to be read as often as it takes. */
export interface ImportSource {
  readonly count: number;
  posts(): AsyncIterable<NewPost>;
}

/** What ends an import before its time, and who is told how far it is. */
export interface ImportWatch {
  /** The process ends: what is stored already is removed at the next start. */
  readonly stop: AbortSignal;
  /** The import is to end, and leave nothing. */
  readonly cancel?: AbortSignal | undefined;
  /** @param posts that are stored so far, of all of them */
  readonly onProgress?: ((posts: number) => void) | undefined;
}

export function throwIfEnded({ stop, cancel }: ImportWatch): void {
  stop.throwIfAborted();
  cancel?.throwIfAborted();
}
