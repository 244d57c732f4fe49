import type { Role } from '../http/request/author.js';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Somebody who may enter the administration site. */
@Entity('accounts')
export class Account {
  @PrimaryGeneratedColumn()
  id!: number;

  /** As it was written when the account was made; it never changes. */
  @Column('text')
  username!: string;

  /** The user name in the form in which it is unique; see username.ts. */
  @Index('accounts_by_username_key', { unique: true })
  @Column('text', { name: 'username_key' })
  usernameKey!: string;

  /** As password-hasher.ts writes it, with all that is needed to verify a password. */
  @Column('text', { name: 'password_hash' })
  passwordHash!: string;

  @Column('text', { default: 'viewer' })
  role!: Role;

  /** 1, or 0 for somebody who may not enter any more. */
  @Column('integer', { name: 'is_enabled' })
  isEnabled!: number;

  /** UTC, as `Date.toISOString` writes it. */
  @Column('text', { name: 'created_at' })
  createdAt!: string;

  @Column('text', { name: 'last_login_at', nullable: true })
  lastLoginAt!: string | null;
}
