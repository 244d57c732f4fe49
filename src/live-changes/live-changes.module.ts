import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { LiveChangesController } from './live-changes.controller.js';
import { LiveChanges } from './live-changes.service.js';

@Module({
  imports: [PostsModule],
  controllers: [LiveChangesController],
  providers: [LiveChanges],
  exports: [LiveChanges],
})
export class LiveChangesModule {}
