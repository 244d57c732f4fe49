import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { ClosedSchema } from '../../../src/openapi/index.js';
import { IsIntegerBetween, Optional } from '../../../src/input/index.js';
import type { Comment } from './comment.entity.js';

const ID = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;
const SLUG = { type: String, nullable: true, pattern: '^[a-z-]+$', example: 'fog' } as const;
const TEXT = { type: String, example: 'Well said.' } as const;

export class CommentsPath {
  @ApiProperty({ ...ID, description: 'The id of the post.', example: 7 })
  @IsIntegerBetween(1, Number.MAX_SAFE_INTEGER)
  post_id!: number;
}

export class CommentPath extends CommentsPath {
  @ApiProperty({ ...ID, description: 'The id of the comment.', example: 3 })
  @IsIntegerBetween(1, Number.MAX_SAFE_INTEGER)
  id!: number;
}

@ClosedSchema('NewComment', 'A comment to store.')
export class CommentInput {
  @ApiPropertyOptional(SLUG)
  @Optional({ nullable: true })
  @Matches(/^[a-z-]+$/)
  slug?: string | null;

  @ApiProperty(TEXT)
  @IsString()
  text!: string;
}

@ClosedSchema('Comment', 'A comment on a post.')
export class CommentDto {
  @ApiProperty({ ...ID, example: 3 })
  id!: number;

  @ApiProperty(SLUG)
  slug!: string | null;

  @ApiProperty(TEXT)
  text!: string;

  static from({ id, slug, text }: Comment): CommentDto {
    return { id, slug, text };
  }
}
