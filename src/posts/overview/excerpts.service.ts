import { Injectable } from '@nestjs/common';
import { PostsRepository } from '../posts.repository.js';

export interface Excerpt {
  readonly id: number;
  readonly excerpt: string;
}

/** Provides the beginnings of bodies, for lists that do not read whole bodies. */
@Injectable()
export class ExcerptsService {
  constructor(private readonly posts: PostsRepository) {}

  /** In the order of the ids; ids without a post are left out. */
  async find(ids: readonly number[]): Promise<Excerpt[]> {
    const starts = await this.posts.findBeginnings(ids, EXCERPT_SOURCE_CODE_POINTS);
    return ids.flatMap((id) => {
      const start = starts.get(id);
      return start === undefined ? [] : [{ id, excerpt: excerptOf(start) }];
    });
  }
}

/** The length of an excerpt, in Unicode code points. */
const EXCERPT_CODE_POINTS = 200;
/** The prefix of a body that is read: longer than an excerpt, because white space is collapsed. */
const EXCERPT_SOURCE_CODE_POINTS = 1_000;

/** The beginning of a text as one line: each run of white space becomes one space. */
export function excerptOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  // A code point has at most two UTF-16 units.
  return Array.from(line.slice(0, 2 * EXCERPT_CODE_POINTS))
    .slice(0, EXCERPT_CODE_POINTS)
    .join('');
}
