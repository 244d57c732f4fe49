import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Account } from '../../accounts/account.entity.js';
import { type Role, ROLES } from '../../http/request/author.js';
import { IsBoolean, IsOneOf, IsString, MaxCodePoints, Optional } from '../../http/request/validation.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import {
  MAX_PASSWORD_CHARACTERS,
  MAX_USERNAME_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
} from '../../settings/credential-rules.js';
import { DATE_TIME } from '../admin-operation.js';
import { IsName, IsPassword } from '../input-rules.js';

const ROLE = {
  enum: ROLES,
  description:
    '`viewer` reads and exports; `editor` also writes, deletes, restores and imports; `administrator` also purges and manages accounts and tokens.',
  example: 'editor',
} as const;

const PASSWORD = {
  type: String,
  minLength: MIN_PASSWORD_CHARACTERS,
  maxLength: MAX_PASSWORD_CHARACTERS,
  example: 'correct horse battery staple',
} as const;

const CURRENT_PASSWORD = {
  type: String,
  maxLength: MAX_PASSWORD_CHARACTERS,
  description: 'The current password of the account that sends the request.',
  example: 'the old staple',
} as const;

@ClosedSchema('Account', 'An account of the administration site.')
export class AccountDto {
  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  id!: number;

  @ApiProperty({ type: String, example: 'admin' })
  username!: string;

  @ApiProperty(ROLE)
  role!: Role;

  @ApiProperty({ type: Boolean, description: 'Whether the account can log in.', example: true })
  is_enabled!: boolean;

  @ApiProperty(DATE_TIME)
  created_at!: string;

  @ApiProperty({
    ...DATE_TIME,
    nullable: true,
    description: 'Null before the first log-in.',
  })
  last_login_at!: string | null;

  static from({ id, username, role, isEnabled, createdAt, lastLoginAt }: Account): AccountDto {
    return {
      id,
      username,
      role,
      is_enabled: isEnabled === 1,
      created_at: createdAt,
      last_login_at: lastLoginAt,
    };
  }
}

@ClosedSchema('OwnPassword', 'A new password of the account that sends the request.')
export class OwnPasswordDto {
  @IsPassword()
  @ApiProperty(PASSWORD)
  password!: string;

  @IsString()
  @MaxCodePoints(MAX_PASSWORD_CHARACTERS)
  @ApiProperty(CURRENT_PASSWORD)
  current_password!: string;
}

@ClosedSchema('NewAccount', 'An account to add.')
export class NewAccountDto extends OwnPasswordDto {
  @IsName()
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: MAX_USERNAME_CHARACTERS,
    description: 'Names are compared without case.',
    example: 'Zoë',
  })
  username!: string;

  @Optional()
  @IsOneOf(ROLES)
  @ApiPropertyOptional({ ...ROLE, default: 'viewer' })
  role?: Role;
}

@ClosedSchema('AccountChange', 'Changes of an account. Members that are left out do not change.')
export class AccountChangeDto {
  @Optional()
  @IsOneOf(ROLES)
  @ApiPropertyOptional(ROLE)
  role?: Role;

  @Optional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, example: false })
  is_enabled?: boolean;

  @Optional()
  @IsPassword()
  @ApiPropertyOptional(PASSWORD)
  password?: string;

  @Optional()
  @IsString()
  @MaxCodePoints(MAX_PASSWORD_CHARACTERS)
  @ApiPropertyOptional({
    ...CURRENT_PASSWORD,
    description: `${CURRENT_PASSWORD.description} Needed with password.`,
  })
  current_password?: string;
}
