import type { Role } from '../http/request/author.js';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** What a token may do: programs manage neither accounts nor tokens. */
export const TOKEN_ROLES = ['viewer', 'editor'] as const satisfies readonly Role[];
export type TokenRole = (typeof TOKEN_ROLES)[number];

/** A token that lets a program read or write, until it expires or is revoked. The token itself stands nowhere. */
@Entity('api_tokens')
export class ApiToken {
  @PrimaryGeneratedColumn()
  id!: number;

  /** What it is for, in the words of whoever made it. */
  @Column('text')
  name!: string;

  /** Its last characters, by which people tell it from others. */
  @Column('text')
  hint!: string;

  /** The token has 256 random bits, so a plain digest cannot be turned back. Queries leave it out unless they name it. */
  @Index('api_tokens_by_digest', { unique: true })
  @Column('text', { select: false })
  digest!: string;

  /** UTC, as `Date.toISOString` writes it. */
  @Column('text', { name: 'created_at' })
  createdAt!: string;

  @Column('text', { default: 'viewer' })
  role!: TokenRole;

  /** The user name of whoever made it. */
  @Column('text', { name: 'created_by' })
  createdBy!: string;

  /** UTC, as `Date.toISOString` writes it; null for a token that does not expire. */
  @Column('text', { name: 'expires_at', nullable: true })
  expiresAt!: string | null;

  /** To the minute. */
  @Column('text', { name: 'last_used_at', nullable: true })
  lastUsedAt!: string | null;
}
