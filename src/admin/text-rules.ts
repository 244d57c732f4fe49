import { matching, type Rule, text } from '../http/satisfies.js';
import {
  isLongerThan,
  isPassword,
  isUsername,
  PASSWORD_RULE,
  USERNAME_RULE,
} from '../settings/credential-rules.js';

/** What people call an account or a token. */
export const nameRule: Rule = text(matching(isUsername, `The value ${USERNAME_RULE}.`));

export const passwordRule: Rule = text(matching(isPassword, `The value ${PASSWORD_RULE}.`));

/** What somebody is known by, or is not: whether it can be a name or a password at all does not matter. */
export function shortText(maxCharacters: number): Rule {
  const isShort = (value: string): boolean => !isLongerThan(value, maxCharacters);
  return text(matching(isShort, `The value must have at most ${maxCharacters} characters.`));
}
