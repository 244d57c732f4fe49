import { OmitType } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import type { Account } from '../../accounts/account.entity.js';
import { type Role, ROLES } from '../../http/request/author.js';
import { Optional } from '../../http/request/validation.js';
import { IsCurrentPassword, IsName, IsPassword } from '../input-rules.js';

export type AccountDto = ReturnType<typeof toAccountDto>;

/** An account as administrators see it, without its password hash. */
export function toAccountDto({ id, username, role, isEnabled, createdAt, lastLoginAt }: Account) {
  return {
    id,
    username,
    role,
    is_enabled: isEnabled === 1,
    created_at: createdAt,
    /** Null before the first log-in. */
    last_login_at: lastLoginAt,
  };
}

/** A new password of the account that sends the request. */
export class OwnPasswordDto {
  @IsPassword()
  password!: string;

  @IsCurrentPassword()
  current_password!: string;

  /** Whether to revoke the API tokens that the account made. */
  @Optional()
  @IsBoolean()
  revoke_tokens?: boolean;
}

export class NewAccountDto extends OmitType(OwnPasswordDto, ['revoke_tokens']) {
  @IsName()
  username!: string;

  @Optional()
  @IsIn(ROLES)
  role?: Role;
}

/** Changes of an account. Members that are left out do not change. */
export class AccountChangeDto {
  @Optional()
  @IsIn(ROLES)
  role?: Role;

  @Optional()
  @IsBoolean()
  is_enabled?: boolean;

  @Optional()
  @IsPassword()
  password?: string;

  /** The password of the account that sends the request; required with `password` and to make an administrator. */
  @Optional()
  @IsCurrentPassword()
  current_password?: string;

  /** Whether to revoke the API tokens that the account made. */
  @Optional()
  @IsBoolean()
  revoke_tokens?: boolean;
}
