import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiTokenDto } from '../../api-tokens.controller.js';
import { api } from '../api/client.js';
import { KEYS } from '../api/keys.js';
import { FormDialog, type FormField } from '../shell/form.js';
import { sendChange } from '../shell/send-change.js';
import { counted, quoted } from '../texts/texts.js';

export const ACCOUNTS_PATH = 'admin/api/accounts/';

/** The fields of a change of password. The current password is that of the account that is logged in. */
export const PASSWORDS = {
  current: {
    name: 'current_password',
    kind: 'password',
    label: 'Your current password',
    autoComplete: 'current-password',
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
  readonly close: () => void;
}

/** Changes the password of an account. Shows the API tokens that the account made, and offers to revoke them. */
export function PasswordDialog({ id, name, close }: PasswordDialogProps): ReactNode {
  const path = id === 'current' ? `${ACCOUNTS_PATH}current/tokens/` : 'admin/api/tokens/';
  const { data = [] } = useQuery({
    queryKey: id === 'current' ? KEYS.ownTokens : KEYS.tokens,
    queryFn: ({ signal }) => api.json<ApiTokenDto[]>(path, { signal }),
  });
  const tokens = data.filter(({ created_by }) => created_by === name);
  const revocation = {
    name: 'revoke_tokens',
    kind: 'choice',
    label: `${counted(tokens.length, 'API token')} of the account`,
    help: tokens.map((token) => `${quoted(token.name)} (…${token.hint})`).join(', '),
    initial: 'false',
    options: { false: 'Keep', true: 'Revoke' },
  } as const;
  return (
    <FormDialog
      title={`Change the password of ${quoted(name)}`}
      text="All sessions of the account end. Log in again with the new password."
      action="Change"
      fields={[PASSWORDS.current, PASSWORDS.next, ...(tokens.length > 0 ? [revocation] : [])]}
      close={close}
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
