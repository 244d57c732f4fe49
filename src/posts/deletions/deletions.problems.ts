import { ProblemOf } from '../../problem-details/index.js';

export class DeletionsExpired extends ProblemOf({
  status: 410,
  slug: 'deletions-expired',
  explanation:
    'Deletions since deleted_after, or since the beginning of a stream of changes, are no longer known: they are kept for HISTORY_DAYS.',
  remedy: 'Make a new copy: read all posts, and ask for deletions since the Last-Modified of that response.',
}) {}
