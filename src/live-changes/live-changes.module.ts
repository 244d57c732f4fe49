import { Global, Module } from '@nestjs/common';
import { PostEvents } from '../posts/post-events.js';
import { PostsModule } from '../posts/posts.module.js';
import { ChangesRepository } from './changes.repository.js';
import { LiveChanges } from './live-changes.service.js';

/** Global, because posts use the live changes without knowing them. */
@Global()
@Module({
  imports: [PostsModule],
  providers: [ChangesRepository, LiveChanges, { provide: PostEvents, useExisting: LiveChanges }],
  exports: [LiveChanges, PostEvents],
})
export class LiveChangesModule {}
