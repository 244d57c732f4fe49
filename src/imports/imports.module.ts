import { Global, Module } from '@nestjs/common';
import { HistoryModule } from '../history/history.module.js';
import { PostImports } from '../posts/post-imports.js';
import { PostsModule } from '../posts/posts.module.js';
import { ImportsService } from './imports.service.js';

/** Global, because posts use the imports without knowing them. */
@Global()
@Module({
  imports: [PostsModule, HistoryModule],
  providers: [ImportsService, { provide: PostImports, useExisting: ImportsService }],
  exports: [ImportsService, PostImports],
})
export class ImportsModule {}
