import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxCodePoints } from '../../http/request/validation.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import { MAX_PASSWORD_CHARACTERS, MAX_USERNAME_CHARACTERS } from '../../settings/credential-rules.js';

/** What somebody logs in with. Whether there can be such a name or password at all is not told here. */
@ClosedSchema('Credentials', 'What somebody logs in with.')
export class CredentialsDto {
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
