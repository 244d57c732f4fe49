import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A session. It ends when its row is deleted or expires. */
@Entity('sessions')
export class Session {
  /** The digest of the token, so that reading the table gives no usable token. */
  @PrimaryColumn('text')
  id!: string;

  @Index('sessions_by_account_id')
  @Column('integer', { name: 'account_id' })
  accountId!: number;

  /** UTC, in the format of `Date.toISOString`, whose text order is the time order. Use moves it. */
  @Column('text', { name: 'expires_at' })
  expiresAt!: string;

  /** In the same format. */
  @Column('text', { name: 'begun_at', default: '1970-01-01T00:00:00.000Z' })
  begunAt!: string;
}
