import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A comment on a post. */
@Entity('example_comments')
@Index('example_comments_by_post', ['postId', 'id'])
@Index('example_comments_by_slug', ['slug'], { unique: true })
export class Comment {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column('integer', { name: 'post_id' })
  postId!: number;

  /** Unique among all comments that have one. */
  @Column('text', { nullable: true })
  slug!: string | null;

  @Column('text')
  text!: string;

  @Column('integer')
  version!: number;
}
