import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../database/database.js';
import type { Post } from '../post.entity.js';
import { StagedIds } from '../writes/staged-ids.js';
import { type PostCondition, PostPageQueries } from './post-page-queries.js';
import { goesDown, narrowed, type PageRequest } from './post-selection.js';

/** A post of a page: the fields that were read. */
export type ListedPost = Partial<Omit<Post, 'body'>> &
  Pick<Post, 'id' | 'version' | 'modified'> & {
    /** Null when it is larger than the page's `maxBodyBytes`. */
    readonly body?: string | null;
    readonly bodyBytes?: number;
  };

/**
 * Reads sections of ordered lists. While an import stages posts, a walk by id skips their range; otherwise it would
 * examine each staged post. (By date or title, staged posts are scattered among the others and are skipped within the
 * index: 50 ns each.)
 */
@Injectable()
export class PostPages {
  constructor(
    private readonly queries: PostPageQueries,
    private readonly stagedIds: StagedIds,
  ) {}

  async read(page: PageRequest, within: Queryable, condition?: PostCondition): Promise<ListedPost[]> {
    const { range } = this.stagedIds;
    const isById = page.ordering === 'id' || page.ordering === '-id';
    if (!range || !isById || page.offset) return this.#read(page, within, condition);
    // The ids at the edges are staged themselves, so neither query misses a post.
    const [near, far] = goesDown(page) ? [range.last, range.first] : [range.first, range.last];
    const before = await this.#read(narrowed(page, undefined, [near]), within, condition);
    const rows = page.rows - before.length;
    if (rows === 0) return before;
    return before.concat(await this.#read({ ...narrowed(page, [far]), rows }, within, condition));
  }

  #read(page: PageRequest, within: Queryable, condition?: PostCondition): Promise<ListedPost[]> {
    const { query, values } = this.queries.page(page, condition);
    return within.all(query, values);
  }
}
