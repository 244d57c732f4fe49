import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { IsIn, IsString } from 'class-validator';
import { TOKEN_ROLES, type TokenRole } from '../accounts/api-token.entity.js';
import { ApiTokensService, type ShownApiToken } from '../accounts/api-tokens.service.js';
import { SessionsService } from '../accounts/sessions.service.js';
import type { LoggedInUser } from '../users/user.js';
import { Access, CurrentClient, CurrentUser } from '../http/index.js';
import { Optional, textValidator } from '../input/index.js';
import { IsPubDate, toPubDate, parsePubDate } from '../posts/pub-date.js';
import type { Client } from '../limits/index.js';
import { AdminOperation, NO_CONTENT } from './admin-operation.js';
import { IdPathDto, IsCurrentPassword, IsName } from './input-rules.js';

export type ApiTokenDto = ReturnType<typeof toApiTokenDto>;
/** A token that was just created. `token` is shown only once. */
export type IssuedApiTokenDto = ApiTokenDto & { readonly token: string };

function toApiTokenDto(token: ShownApiToken) {
  return {
    id: token.id,
    /** The program that uses it. */
    name: token.name,
    /** Its last four characters. */
    hint: token.hint,
    role: token.role,
    created_at: token.createdAt,
    /** The user name of the account that created it. */
    created_by: token.createdBy,
    /** Null when it does not expire. */
    expires_at: token.expiresAt,
    /** To the minute; null when it was never used. */
    last_used_at: token.lastUsedAt,
  };
}

class NewApiTokenDto {
  @IsName()
  name!: string;

  @Optional()
  @IsIn(TOKEN_ROLES)
  role?: TokenRole;

  /** A date, or a date and time, to come. A token without it does not expire. */
  @Optional()
  @IsString()
  @IsPubDate()
  @textValidator('out_of_range', isInFuture, 'The time must be in the future.')
  expires_at?: string;

  @IsCurrentPassword()
  current_password!: string;
}

function isInFuture(time: string): boolean {
  return (parsePubDate(time) ?? '9') > toPubDate();
}

@Controller('admin/api/tokens')
export class ApiTokensController {
  constructor(
    private readonly tokens: ApiTokensService,
    private readonly sessions: SessionsService,
  ) {}

  /** All tokens that were not revoked, the oldest first, also those that have expired. */
  @Get()
  @Access({ session: 'administrator' })
  @AdminOperation({ name: 'admin-api-token-list' })
  async listTokens(@CurrentClient() client: Client): Promise<ApiTokenDto[]> {
    return (await this.tokens.list(client)).map(toApiTokenDto);
  }

  @Post()
  @Access({ session: 'administrator' })
  @AdminOperation({
    name: 'admin-api-token-list',
    location: (token: IssuedApiTokenDto) => ['admin-api-token-detail', token],
  })
  async createToken(
    @Body() { name, role = 'editor', expires_at: expiry, current_password: current }: NewApiTokenDto,
    @CurrentUser() user: LoggedInUser,
    @CurrentClient() client: Client,
  ): Promise<IssuedApiTokenDto> {
    const verified = await this.sessions.verifyPassword(user, current, client);
    // In the format of `Date.toISOString`.
    const expiresAt = expiry === undefined ? null : `${parsePubDate(expiry)!.slice(0, -4)}Z`;
    const by = { author: user.author, verified, client };
    const { token, shown } = await this.tokens.create({ name, role, expiresAt }, by);
    return { ...toApiTokenDto(shown), token };
  }

  /** The token is invalid at once, on every instance of the service. */
  @Delete(':id')
  @Access({ session: 'administrator' })
  @AdminOperation({ name: 'admin-api-token-detail', produces: NO_CONTENT })
  revokeToken(
    @Param() { id }: IdPathDto,
    @CurrentUser() { author }: LoggedInUser,
    @CurrentClient() client: Client,
  ): Promise<void> {
    return this.tokens.revoke(id, { author, client });
  }
}
