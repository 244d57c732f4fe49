import { IsString, Matches } from 'class-validator';
import { IsIntegerBetween, Optional } from '../../../src/input/index.js';
import type { Comment } from './comment.entity.js';

export class CommentsPath {
  @IsIntegerBetween(1, Number.MAX_SAFE_INTEGER)
  post_id!: number;
}

export class CommentPath extends CommentsPath {
  @IsIntegerBetween(1, Number.MAX_SAFE_INTEGER)
  id!: number;
}

export class CommentInput {
  @Optional({ nullable: true })
  @Matches(/^[a-z-]+$/)
  slug?: string | null;

  @IsString()
  text!: string;
}

export class CommentDto {
  id!: number;
  slug!: string | null;
  text!: string;

  static from({ id, slug, text }: Comment): CommentDto {
    return { id, slug, text };
  }
}
