import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { Role } from '../users/user.js';

@Entity('accounts')
export class Account {
  @PrimaryGeneratedColumn()
  id!: number;

  /** The user name as entered when the account was created; it never changes. */
  @Column('text')
  username!: string;

  /** The user name in its unique form. */
  @Index('accounts_by_username_key', { unique: true })
  @Column('text', { name: 'username_key' })
  usernameKey!: string;

  /** The hash with its parameters, in the format of password-hasher.ts. */
  @Column('text', { name: 'password_hash' })
  passwordHash!: string;

  @Column('text', { default: 'viewer' })
  role!: Role;

  /** 1, or 0 for a disabled account. */
  @Column('integer', { name: 'is_enabled' })
  isEnabled!: number;

  /** UTC, in the format of `Date.toISOString`. */
  @Column('text', { name: 'created_at' })
  createdAt!: string;

  @Column('text', { name: 'last_login_at', nullable: true })
  lastLoginAt!: string | null;
}

/**
 * Returns the key under which a user name is unique. Names that differ only in case or in compatible characters share a
 * key.
 */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase().normalize('NFKC');
}
