import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../database/index.js';
import { FINDERS, type FinderName, type FinderValues } from './list-fields.js';
import type { PostCondition } from './post-pages.repository.js';
import type { PageRequest } from './post-selection.js';

/** How the posts of a section that a filter selects are read. */
export interface NarrowedPage {
  /** The section, or a part of it in which all these posts are. */
  readonly page: PageRequest;
  /** Also holds for the posts. */
  readonly condition?: PostCondition;
  /** Whether the database looks at so many posts that other queries must not wait for it. */
  readonly isSlow: boolean;
}

/** Finds the posts of a filter that compares no column, such as a search for words. The `value` is what the client sent. */
export interface PostFinder {
  /**
   * Determines how to read the posts of a section.
   *
   * @param within where it looks for them
   * @param client who asks, for what clients share
   */
  narrow(value: string, page: PageRequest, within: Queryable, client: string): Promise<NarrowedPage>;

  /** A condition for the sections of a list of all these posts. @param within where they are read */
  condition(value: string, within: Queryable): Promise<PostCondition>;

  /** The number of these posts. @param within where it counts them */
  count(value: string, within: Queryable): Promise<number>;

  /** A condition for a query that counts those of these posts that other filters select. @param within where it runs */
  countCondition(value: string, within: Queryable): Promise<PostCondition>;

  /** Tells whether the filter selects a post with only this text; undefined when it selects none. */
  matcherOf(value: string): ((text: string) => boolean) | undefined;
}

/** The finders of the filters in list-fields.ts that have one. A finder adds itself in its constructor. */
@Injectable()
export class PostFinders {
  readonly #finders = new Map<FinderName, PostFinder>();

  add(name: FinderName, finder: PostFinder): void {
    this.#finders.set(name, finder);
  }

  /** The finder that a filter needs, and the value for it; undefined when columns decide. */
  of(filter: FinderValues): { readonly finder: PostFinder; readonly value: string } | undefined {
    for (const { name } of FINDERS) {
      const value = filter[name];
      if (value === undefined) continue;
      const finder = this.#finders.get(name);
      // Without its condition, a list would have all posts, and a bulk change would delete them.
      if (!finder) throw new Error('The module of a filter, which adds its finder, is missing.');
      return { finder, value };
    }
    return undefined;
  }
}
