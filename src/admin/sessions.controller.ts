import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { LogInRefused, TooManyLogIns } from '../accounts/accounts.problems.js';
import { SessionsService } from '../accounts/sessions.service.js';
import { JSON_TYPE } from '../http/protocol/media-type.js';
import { type Author, type LoginSession, type Role, ROLES } from '../http/request/author.js';
import { ClientAddress, CurrentAuthor, CurrentSession } from '../http/request/handler-arguments.js';
import { IsString, MaxCodePoints } from '../http/request/validation.js';
import { ClosedSchema } from '../openapi/document-types.js';
import { UNKNOWN_PARAMETER } from '../openapi/problem-response.js';
import { InvalidRequest } from '../problem-details/problems.js';
import { MAX_PASSWORD_CHARACTERS, MAX_USERNAME_CHARACTERS } from '../settings/credential-rules.js';
import { aCreation, AdminOperation, aJson, DATE_TIME } from './admin-operation.js';

@ClosedSchema('SessionAccount', 'The account of a session.')
class SessionAccountDto {
  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  id!: number;

  @ApiProperty({ type: String, example: 'admin' })
  username!: string;

  @ApiProperty({
    enum: ROLES,
    description: 'The current role; a change takes effect at once.',
    example: 'editor',
  })
  role!: Role;
}

@ClosedSchema('Session', 'A session in the administration site.')
export class SessionDto {
  @ApiProperty({
    ...DATE_TIME,
    description: 'The time at which it expires.',
    example: '2026-11-20T15:40:00.123Z',
  })
  expires_at!: string;

  @ApiProperty({ type: () => SessionAccountDto })
  account!: SessionAccountDto;

  static from({ expiresAt, account }: LoginSession): SessionDto {
    return { expires_at: expiresAt, account };
  }
}

@ClosedSchema('NewSession', 'A new session.')
export class NewSessionDto extends SessionDto {
  @ApiProperty({
    type: String,
    pattern: String.raw`^psa_[\w-]{72}$`,
    description: 'The token of the session, for `Authorization: Bearer`.',
    example: `psa_${'0'.repeat(72)}`,
  })
  token!: string;

  static of(session: LoginSession, token: string): NewSessionDto {
    return Object.assign(SessionDto.from(session), { token });
  }
}

/**
 * The credentials of a log-in. The rules for names and passwords do not apply: a log-in that breaks them is refused
 * like any other.
 */
@ClosedSchema('Credentials', 'The user name and password of a log-in.')
class CredentialsDto {
  @IsString()
  @MaxCodePoints(MAX_USERNAME_CHARACTERS)
  @ApiProperty({
    type: String,
    maxLength: MAX_USERNAME_CHARACTERS,
    description: 'Case does not matter.',
    example: 'admin',
  })
  username!: string;

  @IsString()
  @MaxCodePoints(MAX_PASSWORD_CHARACTERS)
  @ApiProperty({ type: String, maxLength: MAX_PASSWORD_CHARACTERS, example: 'correct horse battery staple' })
  password!: string;
}

@ApiTags('sessions')
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
      'Starts a session of one hour. Repeated failed attempts must wait longer each time; Retry-After says how long.',
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
  })
  getSession(@CurrentSession() session: LoginSession): SessionDto {
    return SessionDto.from(session);
  }

  @Delete('current')
  @AdminOperation({
    name: 'admin-session-current',
    access: 'viewer',
    summary: 'Log out',
    description: 'The token is invalid at once, on every instance of the service.',
    responses: { 204: { description: 'The session is over.', headers: ['Cache-Control'] } },
  })
  logOut(@CurrentSession() session: LoginSession, @CurrentAuthor() author: Author): Promise<void> {
    return this.sessions.logOut(session, author);
  }
}
