import type { Queryable } from '../../database/database.js';
import type { Post } from '../post.entity.js';
import type { StagedIds } from '../writes/staged-ids.js';
import { orderingKey } from './post-ordering.js';
import type { PostCondition, PostPageQueries } from './post-page-queries.js';
import type { PageRequest } from './post-selection.js';

/**
 * Reads sections of ordered lists. While an import stages posts, a walk by id skips their range; otherwise it would
 * examine each staged post. (By date or title, staged posts are scattered among the others and are skipped within the
 * index: 50 ns each.)
 */
export class PostPages {
  constructor(
    private readonly queries: PostPageQueries,
    private readonly stagedIds: StagedIds,
  ) {}

  async read(page: PageRequest, within: Queryable, condition?: PostCondition): Promise<Partial<Post>[]> {
    const { range } = this.stagedIds;
    const { key, descending } = orderingKey(page.ordering);
    if (!range || key[0] !== 'id' || page.offset > 0) return this.#read(page, within, condition);
    const goesDown = descending !== page.backwards;
    const [nearEdge, farEdge] = goesDown ? [range.last, range.first] : [range.first, range.last];
    const isBefore = (a: number, b: number): boolean => (goesDown ? a > b : a < b);
    const after = page.after?.[0] as number | undefined;
    const until = page.until?.[0] as number | undefined;
    // The ids at the edges are staged themselves, so neither query misses a post.
    const near =
      after !== undefined && !isBefore(after, nearEdge)
        ? []
        : await this.#read(
            { ...page, until: until !== undefined && isBefore(until, nearEdge) ? [until] : [nearEdge] },
            within,
            condition,
          );
    const isComplete = near.length === page.rows || (until !== undefined && !isBefore(farEdge, until));
    if (isComplete) return near;
    const far = await this.#read(
      {
        ...page,
        after: after !== undefined && isBefore(farEdge, after) ? [after] : [farEdge],
        rows: page.rows - near.length,
      },
      within,
      condition,
    );
    return near.concat(far);
  }

  #read(page: PageRequest, within: Queryable, condition?: PostCondition): Promise<Partial<Post>[]> {
    const { query, values } = this.queries.page(page, condition);
    return within.all(query, values);
  }
}
