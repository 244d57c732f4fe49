import { ApiProperty } from '@nestjs/swagger';
import type { Author } from '../http/request/author.js';
import { ClosedSchema } from '../openapi/document-types.js';

export const AUTHOR_KINDS = [
  'api',
  'token',
  'account',
  'command',
] as const satisfies readonly Author['kind'][];

/** Who made a change. */
@ClosedSchema('Author', 'Who made a change.')
export class AuthorDto {
  @ApiProperty({
    enum: AUTHOR_KINDS,
    description:
      '`api`: whoever asked the open API. `token`: an API token. `account`: a person who was logged in. `command`: the service itself, or one of its commands.',
    example: 'account',
  })
  kind!: Author['kind'];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The name of the token, the account or the command, where there is one.',
    example: 'ann',
  })
  name!: string | null;

  static from({ kind, name }: Author): AuthorDto {
    return { kind, name: name ?? null };
  }
}
