import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiTokenNotFound } from '../../accounts/accounts.problems.js';
import { ApiTokensService } from '../../accounts/api-tokens.service.js';
import { JSON_TYPE } from '../../http/protocol/media-type.js';
import type { Author } from '../../http/request/author.js';
import { CurrentAuthor } from '../../http/request/handler-arguments.js';
import { IdPath } from '../../http/request/validation.js';
import { UNKNOWN_PARAMETER } from '../../openapi/problem-response.js';
import { TAGS } from '../../openapi/tags.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { aCreation, AdminOperation, aJson } from '../admin-operation.js';
import { ApiTokenDto, IssuedApiTokenDto, NewApiTokenDto } from './api-token.dto.js';

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

@ApiTags(TAGS.apiTokens)
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
