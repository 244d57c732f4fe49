import type { ReactNode } from 'react';
import { type DialogField, FormDialog } from '../shell/form-dialog.js';
import { notify } from '../shell/notices.js';
import { t } from '../texts/texts.js';
import { changeAccount } from './account.js';

export const CURRENT_PASSWORD = {
  name: 'current_password',
  kind: 'password',
  label: t('accounts.currentPassword'),
  autoComplete: 'current-password',
} as const satisfies DialogField<string>;

export const NEW_PASSWORD = {
  name: 'password',
  kind: 'password',
  label: t('accounts.newPassword'),
  autoComplete: 'new-password',
} as const satisfies DialogField<string>;

/** Changes the password of the account that is logged in, whatever its role. */
export function OwnPasswordDialog({ name, onClose }: { name: string; onClose: () => void }): ReactNode {
  return (
    <FormDialog
      title={t('accounts.passwordTitle', { name })}
      text={t('accounts.passwordText')}
      action={t('accounts.save')}
      fields={[CURRENT_PASSWORD, NEW_PASSWORD]}
      onClose={onClose}
      onSubmit={async (passwords) => {
        await changeAccount('current', passwords);
        notify(t('accounts.passwordDone', { name }));
      }}
    />
  );
}
