import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A session. A token whose row is missing is invalid, whatever its signature. */
@Entity('sessions')
export class Session {
  /** The digest of the id in the token, so that reading the table gives no usable token. */
  @PrimaryColumn('text')
  id!: string;

  @Index('sessions_by_account_id')
  @Column('integer', { name: 'account_id' })
  accountId!: number;

  /** UTC, in the format of `Date.toISOString`, whose text order is the time order. */
  @Column('text', { name: 'expires_at' })
  expiresAt!: string;
}

/** A value that all instances of the service share, such as a random secret. */
@Entity('secrets')
export class Secret {
  @PrimaryColumn('text')
  name!: string;

  /** A secret is in base64url. */
  @Column('text')
  value!: string;
}
