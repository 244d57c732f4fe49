import { ApiProperty } from '@nestjs/swagger';
import type { ShownApiToken } from '../../accounts/api-tokens.repository.js';
import { required, Satisfies } from '../../http/satisfies.js';
import { ClosedSchema } from '../../openapi/schema.decorator.js';
import { MAX_USERNAME_CHARACTERS } from '../../settings/credential-rules.js';
import { nameRule } from '../text-rules.js';

@ClosedSchema('ApiToken', 'A token with which a program writes; the token itself is not kept.')
export class ApiTokenDto {
  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  id!: number;

  @ApiProperty({ type: String, description: 'What it is for.', example: 'nightly import' })
  name!: string;

  @ApiProperty({ type: String, description: 'Its last four characters.', example: 'x7Qa' })
  hint!: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-20T14:40:00.123Z' })
  created_at!: string;

  @ApiProperty({ type: String, description: 'The user name of whoever made it.', example: 'admin' })
  created_by!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'To the minute; null when it was never used.',
    example: '2026-11-20T14:40:00.123Z',
  })
  last_used_at!: string | null;

  static from({ id, name, hint, createdAt, createdBy, lastUsedAt }: ShownApiToken): ApiTokenDto {
    return { id, name, hint, created_at: createdAt, created_by: createdBy, last_used_at: lastUsedAt };
  }
}

@ClosedSchema('IssuedApiToken', 'A token that was just made.')
export class IssuedApiTokenDto extends ApiTokenDto {
  @ApiProperty({
    type: String,
    pattern: String.raw`^pst_[\w-]{43}$`,
    description: 'Shown this once.',
    example: `pst_${'0'.repeat(43)}`,
  })
  token!: string;

  static of(shown: ShownApiToken, token: string): IssuedApiTokenDto {
    return Object.assign(ApiTokenDto.from(shown), { token });
  }
}

@ClosedSchema('NewApiToken', 'A token to be made.')
export class NewApiTokenDto {
  static readonly fields = ['name'] as const;

  @Satisfies(required(nameRule))
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: MAX_USERNAME_CHARACTERS,
    description: 'What it is for; the history of the posts names it.',
    example: 'nightly import',
  })
  name!: string;
}
