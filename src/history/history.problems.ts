import { Conflict, NotFound } from '../problem-details/problems.js';

/** 404: there is no such revision of the post, or it is kept no more. */
export class RevisionNotFound extends NotFound {
  constructor(postId: number, number?: number) {
    super(
      number === undefined
        ? `Nothing is known of a post with the id ${postId}.`
        : `There is no revision ${number} of a post with the id ${postId}.`,
    );
  }
}

/** 404: no post with this id was deleted, or it was removed for good. */
export class DeletedPostNotFound extends NotFound {
  constructor(ids: readonly number[]) {
    super(`No deleted post is known by the id ${ids.join(', ')}; nothing was changed.`);
  }
}

/** 409: the posts are there, so they cannot be restored. */
export class PostsNotDeleted extends Conflict {
  constructor(ids: readonly number[]) {
    super(`There is a post with the id ${ids.join(', ')}; nothing was changed.`);
  }
}
