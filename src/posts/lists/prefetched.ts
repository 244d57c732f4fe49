/** Requests the next item before the current one is processed, so that both are worked on at the same time. */
export async function* prefetched<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  try {
    for (let next = items.next(); ;) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      // If the next item fails, the error is thrown in its turn.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await items.return(undefined);
  }
}
