import type { CreateExportDto } from '../../post-selections.controller.js';

const LINE_FEED = 0x0a;
const QUOTE = 0x22;

/**
 * Returns a function that counts the complete posts of an export, as its pieces arrive. In CSV, a line feed within
 * quotes belongs to a cell, and the first record is the header; a doubled quote ends a cell and opens it again.
 */
export function countPosts(format: CreateExportDto['format']): (piece: Uint8Array) => number {
  const isCsv = format !== 'ndjson';
  let isQuoted = false;
  let posts = isCsv ? -1 : 0;
  return (piece) => {
    // An index loop is several times as fast as an iterator.
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at];
      if (isCsv && byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === LINE_FEED && !isQuoted) posts += 1;
    }
    return Math.max(0, posts);
  };
}
