import { Controller, Delete, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiTokensService } from '../../accounts/api-tokens.service.js';
import type { Answer } from '../../http/answer.js';
import { InputReader, noInput, NoQuery } from '../../http/input-reader.js';
import { pathOf } from '../../http/route.js';
import { TAGS } from '../../openapi/tags.js';
import { answerCreated, answerDone, answerJson } from '../json-answers.js';
import { ApiTokenDto, IssuedApiTokenDto, NewApiTokenDto } from './api-token.dto.js';
import { DocumentsApiTokens, DocumentsNewApiToken, DocumentsRevocation } from './api-tokens.docs.js';
import { apiTokenDetail } from './api-tokens.routes.js';

const createInput = new InputReader({ query: NoQuery, body: NewApiTokenDto });

@ApiTags(TAGS.apiTokens)
@Controller('admin/api/tokens')
export class ApiTokensController {
  constructor(private readonly tokens: ApiTokensService) {}

  @Get()
  @DocumentsApiTokens()
  async listTokens(@Req() { context }: Request): Promise<Answer> {
    noInput.read(context);
    const tokens = await this.tokens.list();
    return answerJson(tokens.map((token) => ApiTokenDto.from(token)));
  }

  @Post()
  @DocumentsNewApiToken()
  async createToken(@Req() { context }: Request): Promise<Answer> {
    const { body } = createInput.read(context);
    const { token, shown } = await this.tokens.create(
      { name: body.name, expiresAt: NewApiTokenDto.expiryOf(body) },
      context.session!.account,
    );
    return answerCreated(IssuedApiTokenDto.of(shown, token), context.baseUrl + pathOf(apiTokenDetail, shown));
  }

  @Delete(':id')
  @HttpCode(204)
  @DocumentsRevocation()
  async revokeToken(@Req() { context }: Request): Promise<Answer> {
    noInput.read(context);
    await this.tokens.revoke(Number(context.parameters['id']));
    return answerDone();
  }
}
