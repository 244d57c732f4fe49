import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A used key, and the response for all further requests with it. */
@Entity('idempotency_keys')
export class UsedKey {
  /** A digest of the key and its sender. The database stores neither of them. */
  @PrimaryColumn('text')
  id!: string;

  /** The digest of the request's payload. */
  @Column('text')
  payload!: string;

  @Column('integer')
  status!: number;

  /** JSON. */
  @Column('text')
  headers!: string;

  @Column('text', { name: 'entity_tag', nullable: true })
  entityTag!: string | null;

  @Column('text', { nullable: true })
  body!: string | null;

  /** UTC, in the format of `Date.toISOString`, which sorts by time. */
  @Index('idempotency_keys_by_created_at')
  @Column('text', { name: 'created_at' })
  createdAt!: string;
}
