import type { FormField } from '../shell/form.js';

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
