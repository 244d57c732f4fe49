import type { ChipProps } from '@mui/material/Chip';
import { CSV_TYPE } from '../../../http/protocol/media-type.js';
import type { AuthorDto, ChangeDto } from '../../history/change.dto.js';
import { api } from '../api/client.js';
import { saveFile } from '../export/save-file.js';
import type { ListQuery } from '../shell/list/list-rows.js';
import { notify } from '../shell/notices.js';
import { piecesOf } from '../streams/json-lines.js';

export const CHANGES_PATH = 'admin/api/changes/';

export const AUTHOR_KINDS: Readonly<Record<AuthorDto['kind'], string>> = {
  account: 'An account',
  token: 'An API token',
  api: 'The API, without a token',
  command: 'A command on the server',
};

/** `found`: the post existed when its history began. */
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
  settings_changed: 'Settings changed',
};

/** The colours of the actions, which only repeat the text. */
export const ACTION_COLOURS = {
  created: 'success',
  changed: 'info',
  deleted: 'error',
  restored: 'success',
  imported: 'success',
  exported: 'default',
  found: 'default',
  purged: 'error',
  logged_in: 'default',
  login_failed: 'warning',
  logged_out: 'default',
  account_added: 'success',
  account_enabled: 'success',
  account_disabled: 'error',
  role_changed: 'info',
  password_changed: 'info',
  token_created: 'success',
  token_revoked: 'error',
  settings_changed: 'info',
} as const satisfies Record<ChangeDto['action'], ChipProps['color']>;

/** Exports all entries that match a filter, as CSV. */
export async function exportChanges(filter: ListQuery): Promise<void> {
  const file = { name: 'change-log.csv', mediaType: CSV_TYPE, extension: '.csv' };
  if (await saveFile(file, csvOf(filter))) notify('The change log is saved.');
}

async function* csvOf(query: ListQuery): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { body } = await api.send(CHANGES_PATH, { query, headers: { Accept: CSV_TYPE } });
  if (body) yield* piecesOf(body);
}
