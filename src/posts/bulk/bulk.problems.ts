import { OtherProblem } from '../../problem-details/problems.js';

/** 409: what matches is not as much as the client has seen, and perhaps not what was meant. */
export class CountHasChanged extends OtherProblem {
  constructor(seen: number, now: number) {
    super(409, { detail: `By now ${now} posts match, not ${seen}; nothing was deleted.` });
  }
}
