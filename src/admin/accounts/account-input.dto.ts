import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsString, MaxCodePoints, Optional } from '../../http/request/validation.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import {
  MAX_PASSWORD_CHARACTERS,
  MAX_USERNAME_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
} from '../../settings/credential-rules.js';
import { IsName, IsPassword } from '../names.js';

const PASSWORD = {
  type: String,
  minLength: MIN_PASSWORD_CHARACTERS,
  maxLength: MAX_PASSWORD_CHARACTERS,
  example: 'correct horse battery staple',
} as const;

@ClosedSchema('NewAccount', 'An account to be made.')
export class NewAccountDto {
  @IsName()
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: MAX_USERNAME_CHARACTERS,
    description: 'Two names that differ in nothing but case are the same.',
    example: 'Zoë',
  })
  username!: string;

  @IsPassword()
  @ApiProperty(PASSWORD)
  password!: string;
}

@ClosedSchema('AccountChange', 'What is to be different about an account; what is left out stays as it is.')
export class AccountChangeDto {
  @Optional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, example: false })
  is_enabled?: boolean;

  @Optional()
  @IsPassword()
  @ApiPropertyOptional(PASSWORD)
  password?: string;

  @Optional()
  @IsString()
  @MaxCodePoints(MAX_PASSWORD_CHARACTERS)
  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_PASSWORD_CHARACTERS,
    description: 'Asked for when the password is one’s own.',
    example: 'the old staple',
  })
  current_password?: string;
}
