import { CATALOGUE } from '../../problem-details/catalogue.js';
import { Problem } from '../../problem-details/problem.js';

/** 410: deletions from that time on are not known completely any more. */
export class DeletionsExpired extends Problem {
  constructor() {
    super(CATALOGUE.deletionsExpired, {
      detail: 'Deletions are no longer known from that time on: make a new copy of all posts.',
    });
  }
}
