import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TOKEN_ROLES, type TokenRole } from '../../accounts/api-token.entity.js';
import type { ShownApiToken } from '../../accounts/api-tokens.repository.js';
import { IsOneOf, IsString, Optional, textValidator } from '../../http/request/validation.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import { PUB_DATE_PATTERN } from '../../posts/dto/post.dto.js';
import { IsPubDate, nowAsPubDate, parsePubDate, PUB_DATE_RULE } from '../../posts/pub-date.js';
import { MAX_USERNAME_CHARACTERS } from '../../settings/credential-rules.js';
import { DATE_TIME } from '../admin-operation.js';
import { IsName } from '../names.js';

const ROLE = {
  enum: TOKEN_ROLES,
  description: 'A `viewer` reads and exports posts; an `editor` also writes, deletes and imports them.',
  example: 'editor',
} as const;

@ClosedSchema('ApiToken', 'A token with which a program reads or writes posts. Only its hash is stored.')
export class ApiTokenDto {
  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  id!: number;

  @ApiProperty({ type: String, description: 'The program that uses it.', example: 'nightly import' })
  name!: string;

  @ApiProperty({ type: String, description: 'Its last four characters.', example: 'x7Qa' })
  hint!: string;

  @ApiProperty(ROLE)
  role!: TokenRole;

  @ApiProperty(DATE_TIME)
  created_at!: string;

  @ApiProperty({
    type: String,
    description: 'The user name of the account that created it.',
    example: 'admin',
  })
  created_by!: string;

  @ApiProperty({
    ...DATE_TIME,
    nullable: true,
    description: 'The time at which it expires; null when it does not expire.',
    example: '2027-11-20T00:00:00.000Z',
  })
  expires_at!: string | null;

  @ApiProperty({
    ...DATE_TIME,
    nullable: true,
    description: 'To the minute; null when it was never used.',
  })
  last_used_at!: string | null;

  static from(token: ShownApiToken): ApiTokenDto {
    return {
      id: token.id,
      name: token.name,
      hint: token.hint,
      role: token.role,
      created_at: token.createdAt,
      created_by: token.createdBy,
      expires_at: token.expiresAt,
      last_used_at: token.lastUsedAt,
    };
  }
}

@ClosedSchema('IssuedApiToken', 'A token that was just created.')
export class IssuedApiTokenDto extends ApiTokenDto {
  @ApiProperty({
    type: String,
    pattern: String.raw`^pst_[\w-]{43}$`,
    description: 'Shown only once.',
    example: `pst_${'0'.repeat(43)}`,
  })
  token!: string;

  static of(shown: ShownApiToken, token: string): IssuedApiTokenDto {
    return Object.assign(ApiTokenDto.from(shown), { token });
  }
}

@ClosedSchema('NewApiToken', 'A token to create.')
export class NewApiTokenDto {
  @IsName()
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: MAX_USERNAME_CHARACTERS,
    description: 'The program that uses it; the history of posts has this name.',
    example: 'nightly import',
  })
  name!: string;

  @Optional()
  @IsOneOf(TOKEN_ROLES)
  @ApiPropertyOptional({ ...ROLE, default: 'editor' })
  role?: TokenRole;

  @Optional()
  @IsString()
  @IsPubDate()
  @IsInFuture()
  @ApiPropertyOptional({
    type: String,
    pattern: PUB_DATE_PATTERN,
    description: `When it expires, a time to come; a token without it does not expire. ${PUB_DATE_RULE}`,
    example: '2027-11-20',
  })
  expires_at?: string;

  /** Returns the token's expiry time, in the format of `Date.toISOString`. */
  static expiryOf({ expires_at }: NewApiTokenDto): string | null {
    return expires_at === undefined ? null : `${parsePubDate(expires_at)!.slice(0, -4)}Z`;
  }
}

function IsInFuture(): PropertyDecorator {
  return textValidator(
    'out_of_range',
    (value) => (parsePubDate(value) ?? '9') > nowAsPubDate(),
    'The time must be in the future.',
  );
}
