import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PostDeletion } from './post-deletion.entity.js';
import { PostDeletionsRepository } from './post-deletions.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([PostDeletion])],
  providers: [PostDeletionsRepository],
  exports: [PostDeletionsRepository],
})
export class PostDeletionsModule {}
