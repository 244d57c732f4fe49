import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiTokenDto } from '../../api-token.dto.js';
import { api } from '../api/client.js';
import { FormDialog } from '../shell/form-dialog.js';
import { plural, quoted } from '../texts/texts.js';
import { ACCOUNTS_PATH, changeAccount, PASSWORDS } from './account.js';

export interface PasswordDialogProps {
  /** The account; `current` is the one that is logged in, whatever its role. */
  readonly id: number | 'current';
  readonly name: string;
  readonly onClose: () => void;
}

/** Changes the password of an account. Shows the API tokens that the account made, and offers to revoke them. */
export function PasswordDialog({ id, name, onClose }: PasswordDialogProps): ReactNode {
  const path = id === 'current' ? `${ACCOUNTS_PATH}current/tokens/` : 'admin/api/tokens/';
  const { data } = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api.json<ApiTokenDto[]>(path, { signal }),
  });
  const tokens = (data ?? []).filter(({ created_by }) => created_by === name);
  const count = plural(tokens.length, '1 API token', `${tokens.length} API tokens`);
  const names = tokens.map((token) => `${quoted(token.name)} (…${token.hint})`).join(', ');
  return (
    <FormDialog
      title={`Change the password of ${quoted(name)}`}
      text="All sessions of the account end. Log in again with the new password."
      action="Change"
      fields={[
        PASSWORDS.current,
        PASSWORDS.next,
        ...(tokens.length === 0
          ? []
          : [
              {
                name: 'revoke_tokens',
                kind: 'choice',
                label: `${count} of the account`,
                help: names,
                initial: 'keep',
                options: { keep: 'Keep', revoke: 'Revoke' },
              } as const,
            ]),
      ]}
      onClose={onClose}
      onSubmit={({ revoke_tokens: choice, ...passwords }) =>
        changeAccount(
          id,
          { ...passwords, ...(choice === 'revoke' && { revoke_tokens: true }) },
          `The password of ${quoted(name)} is changed.`,
        )
      }
    />
  );
}
