import { Controller, Delete, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { SessionsService } from '../../accounts/sessions.service.js';
import type { Answer } from '../../http/answer.js';
import { clientOf } from '../../http/client-address.js';
import { InputReader, noInput, NoQuery } from '../../http/input-reader.js';
import { pathOf } from '../../http/route.js';
import { TAGS } from '../../openapi/tags.js';
import { answerCreated, answerDone, answerJson } from '../json-answers.js';
import { CredentialsDto } from './credentials.dto.js';
import { NewSessionDto, SessionDto } from './session.dto.js';
import { DocumentsLogIn, DocumentsLogOut, DocumentsSession } from './sessions.docs.js';
import { currentSession } from './sessions.routes.js';

const logInInput = new InputReader({ query: NoQuery, body: CredentialsDto });

@ApiTags(TAGS.sessions)
@Controller('admin/api/sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Post()
  @DocumentsLogIn()
  async logIn(@Req() { ip, context }: Request): Promise<Answer> {
    const { body } = logInInput.read(context);
    const { token, session } = await this.sessions.logIn(body.username, body.password, clientOf(ip));
    return answerCreated(NewSessionDto.of(session, token), context.baseUrl + pathOf(currentSession));
  }

  @Get('current')
  @DocumentsSession()
  getSession(@Req() { context }: Request): Answer {
    noInput.read(context);
    return answerJson(SessionDto.from(context.session!));
  }

  @Delete('current')
  @HttpCode(204)
  @DocumentsLogOut()
  async logOut(@Req() { context }: Request): Promise<Answer> {
    noInput.read(context);
    await this.sessions.logOut(context.session!);
    return answerDone();
  }
}
