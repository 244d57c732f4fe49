import { type ChipProps } from '@mui/material';
import type { AuthorDto, ChangeDto } from '../../change.dto.js';

export const CHANGES_PATH = 'admin/api/changes/';

export const AUTHOR_KINDS: Readonly<Record<AuthorDto['kind'], string>> = {
  account: 'An account',
  token: 'An API token',
  api: 'The API, without a token',
  command: 'A command on the server',
};

/** The names of the actions. */
export const ACTION_NAMES: Readonly<Record<ChangeDto['action'], string>> = {
  created: 'Created',
  changed: 'Changed',
  deleted: 'Deleted',
  restored: 'Restored',
  imported: 'Imported',
  exported: 'Exported',
  found: 'Existed before the history began',
  purged: 'Deleted for good',
  logged_in: 'Logged in',
  login_failed: 'Log-in refused',
  logged_out: 'Logged out',
  account_added: 'Account added',
  account_enabled: 'Account enabled',
  account_disabled: 'Account disabled',
  role_changed: 'Role changed',
  password_changed: 'Password changed',
  token_created: 'Token created',
  token_revoked: 'Token revoked',
};

/** The colour of an action, which only repeats the text. */
export function actionColour(action: ChangeDto['action']): ChipProps['color'] {
  if (/deleted|purged|disabled|revoked/.test(action)) return 'error';
  if (/created|restored|imported|added|enabled/.test(action)) return 'success';
  if (action.endsWith('changed')) return 'info';
  return action === 'login_failed' ? 'warning' : 'default';
}
