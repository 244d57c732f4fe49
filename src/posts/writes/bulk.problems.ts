import { Conflict } from '../../problem-details/problems.js';

/** 409: what matches is not as much as the client has seen, and perhaps not what was meant. */
export class CountHasChanged extends Conflict {
  constructor(seen: number, now: number) {
    super(`By now ${now} posts match, not ${seen}; nothing was deleted.`);
  }
}
