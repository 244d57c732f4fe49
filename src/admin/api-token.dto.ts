import { IsIn, IsString } from 'class-validator';
import { TOKEN_ROLES, type TokenRole } from '../accounts/api-token.entity.js';
import type { ShownApiToken } from '../accounts/api-tokens.service.js';
import { Optional, textValidator } from '../http/request/validation.js';
import { IsPubDate, nowAsPubDate, parsePubDate } from '../posts/pub-date.js';
import { IsCurrentPassword, IsName } from './input-rules.js';

export type ApiTokenDto = ReturnType<typeof toApiTokenDto>;
/** A token that was just created. `token` is shown only once. */
export type IssuedApiTokenDto = ApiTokenDto & { readonly token: string };

export function toApiTokenDto(token: ShownApiToken) {
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

export class NewApiTokenDto {
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
  return (parsePubDate(time) ?? '9') > nowAsPubDate();
}
