import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { AdminController } from './admin.controller.js';
import { ChangesController } from './changes/changes.controller.js';
import { DeletedPostsController } from './deleted-posts/deleted-posts.controller.js';
import { RestorationsController } from './restorations/restorations.controller.js';
import { RevisionsController } from './revisions/revisions.controller.js';

@Module({
  imports: [PostsModule],
  controllers: [
    AdminController,
    RevisionsController,
    ChangesController,
    DeletedPostsController,
    RestorationsController,
  ],
})
export class AdminModule {}
