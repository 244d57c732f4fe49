import type { ChipProps } from '@mui/material/Chip';
import { CSV_TYPE } from '../../../http/protocol/media-type.js';
import type { AuthorDto, ChangeDto } from '../../history/change.dto.js';
import { api } from '../api/client.js';
import { saveFile } from '../export/save-file.js';
import type { ListQuery } from '../shell/list/list-rows.js';
import { notify } from '../shell/notices.js';
import { piecesOf } from '../streams/json-lines.js';
import { t } from '../texts/texts.js';

export const CHANGES_PATH = 'admin/api/changes/';

export const AUTHOR_KINDS = [
  'account',
  'token',
  'api',
  'command',
] as const satisfies readonly AuthorDto['kind'][];

/** The actions and their colours, which only repeat the text. `found`: the post existed when its history began. */
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

export const ACTIONS = Object.keys(ACTION_COLOURS) as readonly ChangeDto['action'][];

/** Exports all entries that match a filter, as CSV. */
export async function exportChanges(filter: ListQuery): Promise<void> {
  const file = { name: 'change-log.csv', mediaType: CSV_TYPE, extension: '.csv' };
  if (await saveFile(file, csvOf(filter))) notify(t('changes.exported'));
}

async function* csvOf(query: ListQuery): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { body } = await api.send(CHANGES_PATH, { query, headers: { Accept: CSV_TYPE } });
  if (body) yield* piecesOf(body);
}
