import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { Role } from '../users/user.js';

/** Roles of API tokens. No token may manage accounts or tokens. */
export const TOKEN_ROLES = ['viewer', 'editor'] as const satisfies readonly Role[];
export type TokenRole = (typeof TOKEN_ROLES)[number];

/** A token with which a program reads or writes, until it expires or is revoked. The token itself is not stored. */
@Entity('api_tokens')
export class ApiToken {
  @PrimaryGeneratedColumn()
  id!: number;

  /** The purpose of the token, as its creator described it. */
  @Column('text')
  name!: string;

  /** The last characters of the token, shown so that people can identify it. */
  @Column('text')
  hint!: string;

  /** A plain digest is safe because the token has 256 random bits. Queries omit this column unless they select it. */
  @Index('api_tokens_by_digest', { unique: true })
  @Column('text', { select: false })
  digest!: string;

  /** UTC, in the format of `Date.toISOString`. */
  @Column('text', { name: 'created_at' })
  createdAt!: string;

  @Column('text', { default: 'viewer' })
  role!: TokenRole;

  /** The user name of the creator. */
  @Column('text', { name: 'created_by' })
  createdBy!: string;

  /** UTC, in the format of `Date.toISOString`; null for a token without expiry. */
  @Column('text', { name: 'expires_at', nullable: true })
  expiresAt!: string | null;

  /** Accurate to the minute. */
  @Column('text', { name: 'last_used_at', nullable: true })
  lastUsedAt!: string | null;
}
