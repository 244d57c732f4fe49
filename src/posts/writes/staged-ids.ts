import { Injectable } from '@nestjs/common';

/** Ids that follow each other: the lowest and the highest. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

/** A condition that is true of every `post` except those that an import is bringing in. */
export const IS_VISIBLE =
  'post.id NOT BETWEEN (SELECT hidden_from FROM posts_state) AND (SELECT hidden_to FROM posts_state)';

/**
 * Which ids an import is hiding at the moment. It is a hint by which lists step over all of them at once; that they are
 * not seen is the database's doing.
 */
@Injectable()
export class StagedIds {
  range: IdRange | undefined;
}
