import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LogInRefused, TooManyLogIns } from '../../accounts/accounts.problems.js';
import { SessionsService } from '../../accounts/sessions.service.js';
import { JSON_TYPE } from '../../http/protocol/media-type.js';
import type { Author, Session } from '../../http/request/author.js';
import { ClientAddress, CurrentAuthor, CurrentSession } from '../../http/request/handler-arguments.js';
import { DATABASE_BUSY, UNKNOWN_PARAMETER } from '../../openapi/problem-response.js';
import { TAGS } from '../../openapi/tags.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { aCreation, AdminOperation, aJson } from '../admin-operation.js';
import { CredentialsDto } from './credentials.dto.js';
import { NewSessionDto, SessionDto } from './session.dto.js';

@ApiTags(TAGS.sessions)
@Controller('admin/api/sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Post()
  @AdminOperation({
    name: 'admin-session-list',
    access: 'open',
    location: () => ['admin-session-current'],
    summary: 'Log in',
    description:
      'Begins a session of an hour. Whoever tries again and again has to wait longer and longer, and is told for how long.',
    body: { content: { [JSON_TYPE]: { type: CredentialsDto } } },
    responses: {
      201: aCreation(aJson('The session, and the token that stands for it.', NewSessionDto)),
    },
    problems: {
      faultyCredentials: new InvalidRequest([
        { detail: 'The field is required.', code: 'required', pointer: '/password' },
      ]),
      unknownParameter: UNKNOWN_PARAMETER,
      logInRefused: new LogInRefused(),
      tooManyLogIns: new TooManyLogIns(8),
      databaseBusy: DATABASE_BUSY,
    },
  })
  async logIn(
    @Body() { username, password }: CredentialsDto,
    @ClientAddress() client: string,
  ): Promise<NewSessionDto> {
    const { token, session } = await this.sessions.logIn(username, password, client);
    return NewSessionDto.of(session, token);
  }

  @Get('current')
  @AdminOperation({
    name: 'admin-session-current',
    access: 'viewer',
    summary: 'Read the session of the request’s token',
    responses: {
      200: aJson('The session.', SessionDto),
    },
    problems: { unknownParameter: UNKNOWN_PARAMETER, databaseBusy: DATABASE_BUSY },
  })
  getSession(@CurrentSession() session: Session): SessionDto {
    return SessionDto.from(session);
  }

  @Delete('current')
  @AdminOperation({
    name: 'admin-session-current',
    access: 'viewer',
    summary: 'Log out',
    description: 'The token is worth nothing any more, on every instance of the service.',
    responses: { 204: { description: 'The session is over.', headers: ['Cache-Control'] } },
    problems: { unknownParameter: UNKNOWN_PARAMETER, databaseBusy: DATABASE_BUSY },
  })
  logOut(@CurrentSession() session: Session, @CurrentAuthor() author: Author): Promise<void> {
    return this.sessions.logOut(session, author);
  }
}
