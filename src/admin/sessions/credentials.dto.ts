import { ApiProperty } from '@nestjs/swagger';
import { required, Satisfies } from '../../http/satisfies.js';
import { ClosedSchema } from '../../openapi/schema.decorator.js';
import { shortText } from '../text-rules.js';
import { MAX_PASSWORD_CHARACTERS, MAX_USERNAME_CHARACTERS } from '../../settings/credential-rules.js';

/** What somebody logs in with. Whether there can be such a name or password at all is not told here. */
@ClosedSchema('Credentials', 'What somebody logs in with.')
export class CredentialsDto {
  @Satisfies(required(shortText(MAX_USERNAME_CHARACTERS)))
  @ApiProperty({
    type: String,
    maxLength: MAX_USERNAME_CHARACTERS,
    description: 'Case does not matter.',
    example: 'admin',
  })
  username!: string;

  @Satisfies(required(shortText(MAX_PASSWORD_CHARACTERS)))
  @ApiProperty({ type: String, maxLength: MAX_PASSWORD_CHARACTERS, example: 'correct horse battery staple' })
  password!: string;
}
