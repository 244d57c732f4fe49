import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Database, type Queryable } from '../../database/index.js';
import type { Client } from '../../limits/index.js';
import { type Problem, UniqueValues } from '../../problem-details/index.js';
import { type NewPost, Post } from '../post.entity.js';

/** All of them are in memory, to find one that occurs twice. Of later ones, the database decides. */
const MAX_VALUES = 1_000_000;

type Values = Readonly<Record<string, unknown>>;
type UniqueValue = ReturnType<UniqueValues['of']>[number];

/** Finds the posts of an import or of a bulk change whose unique values are taken, before or after the database refuses all. */
@Injectable()
export class TakenValuesRepository {
  constructor(
    private readonly database: Database,
    private readonly uniqueValues: UniqueValues,
  ) {}

  /** For posts that are stored together. @param client who stores them */
  search(client: Client): TakenValueSearch {
    return new TakenValueSearch(this.database.readerOf(client), this.uniqueValues.of(Post));
  }
}

/** Goes through posts that will be stored together, in their order. */
export class TakenValueSearch {
  /** By the unique value: which stored post has it, of those that {@link look} has asked for. */
  readonly #holders = new Map<UniqueValue, Map<unknown, number>>();
  /** By the unique value: those of the posts before. */
  readonly #earlier = new Map<UniqueValue, Set<unknown>>();

  constructor(
    private readonly reader: Queryable,
    private readonly uniqueValues: readonly UniqueValue[],
  ) {}

  /** Whether there is nothing to find: posts have no unique values. */
  get isIdle(): boolean {
    return this.uniqueValues.length === 0;
  }

  /** Reads which stored posts have the values of these posts. Call it for some hundred of them, before {@link problemOf}. */
  async look(posts: readonly NewPost[]): Promise<void> {
    const { manager } = this.reader;
    for (const unique of this.uniqueValues) {
      const { property } = unique;
      const values = posts.map((post) => valueOf(post, unique)).filter(isValue);
      const found =
        values.length === 0
          ? []
          : await manager.find(Post, {
              select: { id: true, [property]: true },
              where: { [property]: In(values) },
            });
      this.#holders.set(unique, new Map(found.map((post) => [valueOf(post, unique), post.id])));
    }
  }

  /**
   * The problem of a post with a value that another stored post has, or a post before it. A value is also taken when
   * another one of these posts would give it up: a database may look at them in another order.
   *
   * @param id of the post; 0 for a new one
   * @param line of an import
   */
  problemOf(post: NewPost, id: number, line?: number): Problem | undefined {
    let problem: Problem | undefined;
    for (const unique of this.uniqueValues) {
      const value = valueOf(post, unique);
      if (!isValue(value)) continue;
      const holder = this.#holders.get(unique)?.get(value);
      const earlier = this.#earlierOf(unique);
      if ((holder !== undefined && holder !== id) || earlier.has(value))
        problem ??= unique.problemOf({ value, line });
      else if (earlier.size < MAX_VALUES) earlier.add(value);
    }
    return problem;
  }

  #earlierOf(unique: UniqueValue): Set<unknown> {
    let earlier = this.#earlier.get(unique);
    if (!earlier) this.#earlier.set(unique, (earlier = new Set()));
    return earlier;
  }
}

function valueOf(post: object, { property }: UniqueValue): unknown {
  return (post as Values)[property];
}

/** Any number of rows may have none. */
function isValue(value: unknown): boolean {
  return value !== null && value !== undefined;
}
