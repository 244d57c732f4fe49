import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTokensService } from '../accounts/api-tokens.service.js';
import { SessionsService } from '../accounts/sessions.service.js';
import type { Author, LoggedInUser } from '../http/request/author.js';
import { CurrentAuthor, CurrentUser } from '../http/request/handler-arguments.js';
import { parsePubDate } from '../posts/pub-date.js';
import { AdminOperation, NOTHING } from './admin-operation.js';
import { type ApiTokenDto, type IssuedApiTokenDto, NewApiTokenDto, toApiTokenDto } from './api-token.dto.js';
import { IdPathDto } from './input-rules.js';
import { Roles } from '../http/request/roles.guard.js';

@Controller('admin/api/tokens')
export class ApiTokensController {
  constructor(
    private readonly tokens: ApiTokensService,
    private readonly sessions: SessionsService,
  ) {}

  /** All tokens that were not revoked, the oldest first, also those that have expired. */
  @Get()
  @Roles('administrator')
  @AdminOperation({ name: 'admin-api-token-list' })
  async listTokens(): Promise<ApiTokenDto[]> {
    return (await this.tokens.list()).map(toApiTokenDto);
  }

  @Post()
  @Roles('administrator')
  @AdminOperation({
    name: 'admin-api-token-list',
    location: (token: IssuedApiTokenDto) => ['admin-api-token-detail', token],
  })
  async createToken(
    @Body() { name, role = 'editor', expires_at: expiry, current_password: current }: NewApiTokenDto,
    @CurrentUser() user: LoggedInUser,
  ): Promise<IssuedApiTokenDto> {
    const verified = await this.sessions.verifyPassword(user, current);
    // In the format of `Date.toISOString`.
    const expiresAt = expiry === undefined ? null : `${parsePubDate(expiry)!.slice(0, -4)}Z`;
    const { token, shown } = await this.tokens.create({ name, role, expiresAt }, user.author, verified);
    return { ...toApiTokenDto(shown), token };
  }

  /** The token is invalid at once, on every instance of the service. */
  @Delete(':id')
  @Roles('administrator')
  @AdminOperation({ name: 'admin-api-token-detail', produces: NOTHING })
  revokeToken(@Param() { id }: IdPathDto, @CurrentAuthor() author: Author): Promise<void> {
    return this.tokens.revoke(id, author);
  }
}
