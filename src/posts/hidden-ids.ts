import { Injectable } from '@nestjs/common';

/** Ids that follow each other: the lowest and the highest. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Which ids an import is hiding at the moment. It is a hint by which lists step over all of them at once; that they are
 * not seen is the database's doing.
 */
@Injectable()
export class HiddenIds {
  range: IdRange | undefined;
}
