/**
 * What the peers of the same work share: beside the post, each write stores what a write of the service stores, in one
 * transaction: the replaced content as a revision, the words in a full-text index, and the counters of the collection.
 */

/** The words of a text, as simply as one would write it by hand. */
export function wordsOf(title, body) {
  const words = `${title} ${body}`
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return [...new Set(words)].join(' ');
}

/** The current time in the form of the stored dates. */
export function now() {
  return `${new Date().toISOString().slice(0, -1)}000Z`;
}
