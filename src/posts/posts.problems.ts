import { NotFound } from '../problem-details/problems.js';

/** 404: there is no post with this id; it was deleted, or never made. */
export class PostNotFound extends NotFound {
  constructor(id: number) {
    super(`There is no post with the id ${id}.`);
  }
}
