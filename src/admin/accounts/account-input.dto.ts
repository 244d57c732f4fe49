import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { matching, optional, required, Satisfies } from '../../http/satisfies.js';
import { ClosedSchema } from '../../openapi/schema.decorator.js';
import {
  MAX_PASSWORD_CHARACTERS,
  MAX_USERNAME_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
} from '../../settings/credential-rules.js';
import { nameRule, passwordRule, shortText } from '../text-rules.js';

const PASSWORD = {
  type: String,
  minLength: MIN_PASSWORD_CHARACTERS,
  maxLength: MAX_PASSWORD_CHARACTERS,
  example: 'correct horse battery staple',
} as const;

@ClosedSchema('NewAccount', 'An account to be made.')
export class NewAccountDto {
  @Satisfies(required(nameRule))
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: MAX_USERNAME_CHARACTERS,
    description: 'Two names that differ in nothing but case are the same.',
    example: 'Zoë',
  })
  username!: string;

  @Satisfies(required(passwordRule))
  @ApiProperty(PASSWORD)
  password!: string;
}

@ClosedSchema('AccountChange', 'What is to be different about an account; what is left out stays as it is.')
export class AccountChangeDto {
  @Satisfies(optional(matching(isBoolean, 'The value must be true or false.')))
  @ApiPropertyOptional({ type: Boolean, example: false })
  is_enabled?: boolean;

  @Satisfies(optional(passwordRule))
  @ApiPropertyOptional(PASSWORD)
  password?: string;

  @Satisfies(optional(shortText(MAX_PASSWORD_CHARACTERS)))
  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_PASSWORD_CHARACTERS,
    description: 'Asked for when the password is one’s own.',
    example: 'the old staple',
  })
  current_password?: string;
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}
