import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { SessionsService } from '../accounts/sessions.service.js';
import type { LoggedInUser, LoginSession } from '../users/user.js';
import { Access, CurrentClient, CurrentUser } from '../http/index.js';
import { MaxCodePoints } from '../input/index.js';
import { MAX_PASSWORD_CHARACTERS, MAX_USERNAME_CHARACTERS } from '../settings/credential-rules.js';
import type { Client } from '../limits/index.js';
import { AdminOperation, NO_CONTENT } from './admin-operation.js';

export type SessionDto = ReturnType<typeof toSessionDto>;
export type NewSessionDto = SessionDto & { readonly token: string };

/**
 * The credentials of a log-in. The rules for names and passwords do not apply: a log-in that breaks them is refused
 * like any other.
 */
class CredentialsDto {
  @IsString()
  @MaxCodePoints(MAX_USERNAME_CHARACTERS)
  username!: string;

  @IsString()
  @MaxCodePoints(MAX_PASSWORD_CHARACTERS)
  password!: string;
}

@Controller('admin/api/sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  /** Logs in. After repeated failures, Retry-After says how long to wait. */
  @Post()
  @Access({ anyone: 'A log-in is how a user gets a session.' })
  @AdminOperation({ name: 'admin-session-list', location: () => ['admin-session-current'] })
  async logIn(
    @Body() { username, password }: CredentialsDto,
    @CurrentClient() client: Client,
  ): Promise<NewSessionDto> {
    const { address = '', signal } = client;
    const { token, session } = await this.sessions.logIn(username, password, { name: address, signal });
    return { ...toSessionDto(session), token };
  }

  /** Logs out everywhere. */
  @Delete()
  @Access({ session: 'viewer' })
  @AdminOperation({ name: 'admin-session-list', produces: NO_CONTENT })
  logOutEverywhere(@CurrentUser() user: LoggedInUser, @CurrentClient() client: Client): Promise<void> {
    return this.sessions.logOut(user, client, 'everywhere');
  }

  @Get('current')
  @Access({ session: 'viewer' })
  @AdminOperation({ name: 'admin-session-current' })
  getSession(@CurrentUser() { session }: LoggedInUser): SessionDto {
    return toSessionDto(session);
  }

  @Delete('current')
  @Access({ session: 'viewer' })
  @AdminOperation({ name: 'admin-session-current', produces: NO_CONTENT })
  logOut(@CurrentUser() user: LoggedInUser, @CurrentClient() client: Client): Promise<void> {
    return this.sessions.logOut(user, client);
  }
}

/** A session with its account. It expires at `expires_at` unless it is used. */
const toSessionDto = ({ expiresAt, account }: LoginSession) => ({ expires_at: expiresAt, account });
