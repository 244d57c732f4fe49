import { Module } from '@nestjs/common';
import { StagedIds } from '../writes/staged-ids.js';
import { PostPageQueries } from './post-page-queries.js';
import { PostPages } from './post-pages.js';

/** Reads pages of posts, for the lists and for the search. */
@Module({
  providers: [StagedIds, PostPageQueries, PostPages],
  exports: [StagedIds, PostPageQueries, PostPages],
})
export class PostPagesModule {}
