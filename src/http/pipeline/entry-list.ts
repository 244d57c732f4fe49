/**
 * An item's place in a {@link EntryList}.
 *
 * It is a class, because V8 may come to allocate object literals in the old generation of the heap, where an entry keeps its
 * item until the next full garbage collection.
 */
export class Entry<Item> {
  constructor(
    readonly item: Item,
    /** Negative once it was taken out. */
    public index: number,
  ) {}
}

/**
 * Things that come and go with every request.
 *
 * It does what a `Set` does, but leaves nothing behind. A `Set` of V8 moves to a new table after so many deletions, and
 * the old table still refers to all that was in it, and to its successor. Once a table has come to the old generation of
 * the heap, so do all that follow, with everything in them: measured, 6 KiB a request, which only a full garbage
 * collection frees.
 */
export class EntryList<Item> {
  readonly #entries: Entry<Item>[] = [];

  get size(): number {
    return this.#entries.length;
  }

  add(item: Item): Entry<Item> {
    const entry = new Entry(item, this.#entries.length);
    this.#entries.push(entry);
    return entry;
  }

  /** Takes an item out; the last one gets its place. Nothing happens the second time. */
  remove(entry: Entry<Item>): void {
    if (entry.index < 0) return;
    const last = this.#entries.pop()!;
    if (last !== entry) {
      this.#entries[entry.index] = last;
      last.index = entry.index;
    }
    entry.index = -1;
  }

  /** The items that are there now, in no particular order. */
  items(): Item[] {
    return this.#entries.map(({ item }) => item);
  }
}
