import { Injectable } from '@nestjs/common';

/** A range of ids, both ends included. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

/** An SQL condition that excludes the staged posts of an import. */
export const IS_VISIBLE =
  'post.id NOT BETWEEN (SELECT hidden_from FROM posts_state) AND (SELECT hidden_to FROM posts_state)';

/**
 * The ids that an import currently stages. It is only a hint that lets lists skip them all at once; the database keeps
 * them hidden.
 */
@Injectable()
export class StagedIds {
  range: IdRange | undefined;
}
