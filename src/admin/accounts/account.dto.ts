import { ApiProperty } from '@nestjs/swagger';
import type { Account } from '../../accounts/account.entity.js';
import { ClosedSchema } from '../../openapi/document-types.js';

@ClosedSchema('Account', 'Somebody who may enter the administration site.')
export class AccountDto {
  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  id!: number;

  @ApiProperty({ type: String, example: 'admin' })
  username!: string;

  @ApiProperty({ type: Boolean, description: 'Whether it can be logged in to.', example: true })
  is_enabled!: boolean;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-20T14:40:00.123Z' })
  created_at!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Null when nobody has logged in to it yet.',
    example: '2026-11-20T14:40:00.123Z',
  })
  last_login_at!: string | null;

  static from({ id, username, isEnabled, createdAt, lastLoginAt }: Account): AccountDto {
    return {
      id,
      username,
      is_enabled: isEnabled === 1,
      created_at: createdAt,
      last_login_at: lastLoginAt,
    };
  }
}
