import { ApiProperty } from '@nestjs/swagger';
import { type Role, ROLES, type Session } from '../../http/request/author.js';
import { ClosedSchema } from '../../openapi/document-types.js';

@ClosedSchema('SessionAccount', 'Whose session it is.')
class SessionAccountDto {
  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  id!: number;

  @ApiProperty({ type: String, example: 'admin' })
  username!: string;

  @ApiProperty({
    enum: ROLES,
    description: 'As it is now; a change of the role holds at once.',
    example: 'editor',
  })
  role!: Role;
}

@ClosedSchema('Session', 'A stay in the administration site.')
export class SessionDto {
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When it ends, if nobody ends it before.',
    example: '2026-11-20T15:40:00.123Z',
  })
  expires_at!: string;

  @ApiProperty({ type: () => SessionAccountDto })
  account!: SessionAccountDto;

  static from({ expiresAt, account }: Session): SessionDto {
    return { expires_at: expiresAt, account };
  }
}

@ClosedSchema('NewSession', 'A session that has just begun.')
export class NewSessionDto extends SessionDto {
  @ApiProperty({
    type: String,
    pattern: String.raw`^psa_[\w-]{72}$`,
    description: 'Stands for the session, in `Authorization: Bearer`.',
    example: `psa_${'0'.repeat(72)}`,
  })
  token!: string;

  static of(session: Session, token: string): NewSessionDto {
    return Object.assign(SessionDto.from(session), { token });
  }
}
