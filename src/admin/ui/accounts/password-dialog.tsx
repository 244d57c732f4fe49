import type { ReactNode } from 'react';
import { KEYS } from '../api/keys.js';
import { FormDialog, type FormField } from '../shell/form.js';
import { sendChange } from '../shell/send-change.js';
import { quoted } from '../texts/texts.js';

export const ACCOUNTS_PATH = 'admin/api/accounts/';

/** The fields of a change of password. The current password is that of the account that is logged in. */
export const PASSWORDS = {
  current: {
    name: 'current_password',
    kind: 'password',
    label: 'Your current password',
    autoComplete: 'current-password',
    isOwn: true,
  },
  next: {
    name: 'password',
    kind: 'password',
    label: 'New password',
    help: 'At least 12 characters, 5 of them different, not counting the user name.',
    autoComplete: 'new-password',
  },
} as const satisfies Record<string, FormField<string>>;

export interface PasswordDialogProps {
  /** The account; `current` is the one that is logged in, whatever its role. */
  readonly id: number | 'current';
  readonly name: string;
}

const REVOCATION = {
  name: 'revoke_tokens',
  kind: 'choice',
  label: 'API tokens that the account has made',
  initial: 'false',
  options: { false: 'Keep', true: 'Revoke' },
} as const;

/** Changes the password of an account, and revokes the API tokens that it has made if the user wants that. */
export function PasswordDialog({ id, name }: PasswordDialogProps): ReactNode {
  return (
    <FormDialog
      title={`Change the password of ${quoted(name)}`}
      text="All sessions of the account end. Log in again with the new password."
      action="Change"
      account={name}
      fields={[PASSWORDS.current, PASSWORDS.next, REVOCATION]}
      send={({ revoke_tokens: revokes, ...passwords }) =>
        sendChange(
          `${ACCOUNTS_PATH}${id}/`,
          { method: 'PUT', json: { ...passwords, ...(revokes === 'true' && { revoke_tokens: true }) } },
          // The own session may have ended: more queries would ask for a log-in before the user does anything.
          KEYS.accounts,
          `The password of ${quoted(name)} is changed.`,
        )
      }
    />
  );
}
