import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { ApiTokenNotFound } from '../accounts/accounts.problems.js';
import { TOKEN_ROLES, type TokenRole } from '../accounts/api-token.entity.js';
import type { ShownApiToken } from '../accounts/api-tokens.repository.js';
import { ApiTokensService } from '../accounts/api-tokens.service.js';
import { JSON_TYPE } from '../http/protocol/media-type.js';
import type { Author } from '../http/request/author.js';
import { CurrentAuthor } from '../http/request/handler-arguments.js';
import { IdPath, IsOneOf, IsString, Optional, textValidator } from '../http/request/validation.js';
import { ClosedSchema } from '../openapi/document-types.js';
import { UNKNOWN_PARAMETER } from '../openapi/problem-response.js';
import { PUB_DATE_PATTERN } from '../posts/dto/post.dto.js';
import { IsPubDate, nowAsPubDate, parsePubDate, PUB_DATE_RULE } from '../posts/pub-date.js';
import { InvalidRequest } from '../problem-details/problems.js';
import { MAX_USERNAME_CHARACTERS } from '../settings/credential-rules.js';
import { aCreation, AdminOperation, aJson, DATE_TIME } from './admin-operation.js';
import { IsName } from './input-rules.js';

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

class ApiTokenPath {
  @IdPath({ description: 'The token.', example: 1 })
  id!: number;
}

const SAMPLE: ApiTokenDto = {
  id: 1,
  name: 'nightly import',
  hint: 'x7Qa',
  role: 'editor',
  created_at: '2026-11-20T14:40:00.123Z',
  created_by: 'admin',
  expires_at: '2027-11-20T00:00:00.000Z',
  last_used_at: null,
};

@ApiTags('api-tokens')
@Controller('admin/api/tokens')
export class ApiTokensController {
  constructor(private readonly tokens: ApiTokensService) {}

  @Get()
  @AdminOperation({
    name: 'admin-api-token-list',
    access: 'administrator',
    summary: 'List the API tokens',
    responses: {
      200: aJson(
        'All tokens that were not revoked, the oldest first, also those that have expired.',
        [ApiTokenDto],
        [SAMPLE],
      ),
    },
  })
  async listTokens(): Promise<ApiTokenDto[]> {
    return (await this.tokens.list()).map((token) => ApiTokenDto.from(token));
  }

  @Post()
  @AdminOperation({
    name: 'admin-api-token-list',
    access: 'administrator',
    summary: 'Create an API token',
    location: (token: IssuedApiTokenDto) => ['admin-api-token-detail', token],
    body: { content: { [JSON_TYPE]: { type: NewApiTokenDto } } },
    responses: {
      201: aCreation(aJson('The token. It cannot be shown again.', IssuedApiTokenDto)),
    },
    problems: {
      faultyName: new InvalidRequest([
        { detail: 'The field is required.', code: 'required', pointer: '/name' },
      ]),
      unknownParameter: UNKNOWN_PARAMETER,
    },
  })
  async createToken(
    @Body() body: NewApiTokenDto,
    @CurrentAuthor() author: Author,
  ): Promise<IssuedApiTokenDto> {
    const { name, role = 'editor' } = body;
    const expiresAt = NewApiTokenDto.expiryOf(body);
    const { token, shown } = await this.tokens.create({ name, role, expiresAt }, author);
    return IssuedApiTokenDto.of(shown, token);
  }

  @Delete(':id')
  @AdminOperation({
    name: 'admin-api-token-detail',
    access: 'administrator',
    summary: 'Revoke an API token',
    description: 'It is invalid at once, on every instance of the service.',
    responses: { 204: { description: 'The token is revoked.', headers: ['Cache-Control'] } },
    problems: {
      unknownParameter: UNKNOWN_PARAMETER,
      apiTokenNotFound: new ApiTokenNotFound(7),
    },
  })
  revokeToken(@Param() { id }: ApiTokenPath, @CurrentAuthor() author: Author): Promise<void> {
    return this.tokens.revoke(id, author);
  }
}
