import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A key that a request has used up, and the response that every further request with it is given. */
@Entity('idempotency_keys')
export class UsedKey {
  /** A digest of the key and of whoever sent it; neither stands in the database. */
  @PrimaryColumn('text')
  id!: string;

  /** The digest of the request's payload. */
  @Column('text')
  payload!: string;

  @Column('integer')
  status!: number;

  /** As JSON. */
  @Column('text')
  headers!: string;

  @Column('text', { name: 'entity_tag', nullable: true })
  entityTag!: string | null;

  @Column('text', { nullable: true })
  body!: string | null;

  /** UTC, as `Date.toISOString` writes it, which sorts as it reads. */
  @Index('idempotency_keys_by_created_at')
  @Column('text', { name: 'created_at' })
  createdAt!: string;
}
