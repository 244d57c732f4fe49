/** How many UTF-16 units must be inserted, removed or replaced to make one text of the other (Levenshtein). */
export function editDistance(from: string, to: string): number {
  // The distances from each beginning of `from` to the beginning of `to` that was looked at last.
  let distances = Array.from({ length: from.length + 1 }, (_, length) => length);
  for (let row = 0; row < to.length; row += 1) {
    const next = [row + 1];
    for (let i = 0; i < from.length; i += 1) {
      const replaced = distances[i]! + (from[i] === to[row] ? 0 : 1);
      next.push(Math.min(replaced, distances[i + 1]! + 1, next[i]! + 1));
    }
    distances = next;
  }
  return distances.at(-1)!;
}
