import { Injectable } from '@nestjs/common';
import { PostsRepository } from '../posts.repository.js';
import { EXCERPT_SOURCE_CODE_POINTS, excerptOf } from './excerpt.js';

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
