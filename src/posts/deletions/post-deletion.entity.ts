import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A post that was deleted. A trigger on `posts` writes the row; a post that was restored may still have one. */
@Entity('post_deletions')
@Index('post_deletions_by_time', ['deletedAt', 'id'])
export class PostDeletion {
  @PrimaryColumn('integer')
  id!: number;

  /** The time of the last deletion, in the stored form of dates. */
  @Column('text', { name: 'deleted_at' })
  deletedAt!: string;
}
