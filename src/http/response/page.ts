import { StreamableFile } from '@nestjs/common';
import type { PageNeighbours } from '../../paging/index.js';
import type { LastModified } from '../protocol/last-modified.js';

/** A page of a keyset list. A handler returns it to get links to its neighbours. */
export class Page {
  constructor(
    readonly neighbours: PageNeighbours,
    /** What clients see of the rows. */
    readonly items: readonly object[],
    readonly lastModified?: LastModified,
  ) {}
}
Object.setPrototypeOf(Page.prototype, StreamableFile.prototype); // As of ApiResponse.
