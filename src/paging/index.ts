/** What other rooms may use of pages: the lists that a cursor leads through, and the links between their pages. */
export {
  type KeysetPage,
  KeysetQuery,
  type KeysetRequest,
  type KeysetWalk,
  keysetScope,
  readKeysetPage,
  toKeysetRequest,
} from './keyset-page.js';
export type { PageNeighbours } from './page-cursor.js';
export { formatLinks, linksOfPage, MAX_TARGET_LENGTH } from './page-links.js';
