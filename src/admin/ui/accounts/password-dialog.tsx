import type { ReactNode } from 'react';
import { FormDialog } from '../shell/form-dialog.js';
import { t } from '../texts/texts.js';
import { changeAccount, PASSWORDS } from './account.js';

export interface PasswordDialogProps {
  /** The account; `current` is the one that is logged in, whatever its role. */
  readonly id: number | 'current';
  readonly name: string;
  readonly onClose: () => void;
}

/** Changes the password of an account. */
export function PasswordDialog({ id, name, onClose }: PasswordDialogProps): ReactNode {
  return (
    <FormDialog
      title={t('accounts.passwordTitle', { name })}
      text={t('accounts.passwordText')}
      action={t('accounts.save')}
      fields={[PASSWORDS.current, PASSWORDS.next]}
      onClose={onClose}
      onSubmit={(passwords) => changeAccount(id, passwords, t('accounts.passwordDone', { name }))}
    />
  );
}
