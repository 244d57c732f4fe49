import {
  isLongerThan,
  isPassword,
  isUsername,
  PASSWORD_RULE,
  USERNAME_RULE,
} from '../settings/credential-rules.js';

type Rule = (value: unknown) => string | undefined;

/** A field that must be there. */
export function required(rule: Rule): Rule {
  return (value) => (value === undefined ? 'The field is required.' : rule(value));
}

/** A field that may be left out. */
export function optional(rule: Rule): Rule {
  return (value) => (value === undefined ? undefined : rule(value));
}

/** What people call an account or a token. */
export const nameRule: Rule = textRule(isUsername, USERNAME_RULE);

export const passwordRule: Rule = textRule(isPassword, PASSWORD_RULE);

export const booleanRule: Rule = (value) =>
  typeof value === 'boolean' ? undefined : 'The value must be true or false.';

/** What somebody is known by, or is not: whether it can be a name or a password at all does not matter. */
export function shortText(maxCharacters: number): Rule {
  return textRule(
    (text) => !isLongerThan(text, maxCharacters),
    `must have at most ${maxCharacters} characters`,
  );
}

function textRule(holds: (text: string) => boolean, words: string): Rule {
  return (value) => {
    if (typeof value !== 'string') return 'The value must be a string.';
    return holds(value) ? undefined : `The value ${words}.`;
  };
}
