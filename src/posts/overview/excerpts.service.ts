import { Injectable } from '@nestjs/common';
import { PostsRepository } from '../posts.repository.js';

export interface Excerpt {
  readonly id: number;
  readonly excerpt: string;
}

/** Gives the beginnings of bodies, for lists that do not read whole bodies. */
@Injectable()
export class ExcerptsService {
  constructor(private readonly posts: PostsRepository) {}

  /** In the order of the ids, without those that are no post. */
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
/** How much of a body is read for one: enough, however much of it is white space that people write. */
const EXCERPT_SOURCE_CODE_POINTS = 1_000;

/** The beginning of a text in one line: white space in a row becomes one space. */
export function excerptOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  // A code point has two UTF-16 units at the most.
  return Array.from(line.slice(0, 2 * EXCERPT_CODE_POINTS))
    .slice(0, EXCERPT_CODE_POINTS)
    .join('');
}
