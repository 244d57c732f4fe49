import type { Queryable } from '../../database/index.js';
import type { PostCondition } from './post-pages.repository.js';
import type { PageRequest } from './post-selection.js';

/** How the posts of a section that match a search are read. */
export interface NarrowedPage {
  /** The section, or a part of it in which all its matching posts are. */
  readonly page: PageRequest;
  /** Also holds for the posts. */
  readonly condition?: PostCondition;
  /** Whether the database looks at so many posts that other queries must not wait for it. */
  readonly isSlow: boolean;
}

/** Finds posts by their words. The search index provides it. The `search` is what the client typed. */
export abstract class PostSearch {
  /**
   * Determines how to read the posts of a section.
   *
   * @param within where it looks for them
   * @param client who searches, for what clients share
   */
  abstract narrow(
    search: string,
    page: PageRequest,
    within: Queryable,
    client: string,
  ): Promise<NarrowedPage>;

  /** A condition for the sections of a list of all matching posts. @param within where they are read */
  abstract condition(search: string, within: Queryable): Promise<PostCondition>;

  /** A condition for a query that counts the matching posts. @param within where it runs */
  abstract countCondition(search: string, within: Queryable): Promise<PostCondition>;

  /** Tells whether a text has all words of the search, for texts without an index; undefined when it has no words. */
  abstract matcherOf(search: string): ((text: string) => boolean) | undefined;

  /** Whether searches may miss posts, because the index is being built. */
  abstract readonly isBuilding: boolean;

  /** Whether the index is that of this version. That of a database without posts counts as such from then on. */
  abstract isCurrent(): Promise<boolean>;
}
