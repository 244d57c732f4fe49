import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What makes a session's token valid: without its row it is worth nothing, whatever its signature says. */
@Entity('sessions')
export class Session {
  /** The digest of the id that the token holds: who reads the table has no token. */
  @PrimaryColumn('text')
  id!: string;

  @Index('sessions_by_account_id')
  @Column('integer', { name: 'account_id' })
  accountId!: number;

  /** UTC, as `Date.toISOString` writes it, which sorts as it reads. */
  @Column('text', { name: 'expires_at' })
  expiresAt!: string;
}
