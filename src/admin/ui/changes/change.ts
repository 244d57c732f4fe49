import { api } from '../api/client.js';
import { openFile } from '../export/file-sink.js';
import type { ListQuery } from '../shell/list/list-rows.js';
import { notify } from '../shell/notices.js';
import { piecesOf } from '../streams/json-lines.js';
import { t } from '../texts/texts.js';

export const CHANGES_PATH = 'admin/api/changes/';

/** The author of a change; accounts and tokens have a name. */
export interface Author {
  readonly kind: 'api' | 'token' | 'account' | 'command';
  readonly name: string | null;
}

export const AUTHOR_KINDS = ['account', 'token', 'api', 'command'] as const;

/** The actions and their colours, which only repeat the text. `found`: the post existed when its history began. */
const COLOURS = {
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
} as const;

export type Action = keyof typeof COLOURS;
export const ACTIONS = Object.keys(COLOURS) as readonly Action[];
export const ACTION_COLOURS = COLOURS;

/** An entry of the change log. */
export interface Change {
  readonly id: number;
  readonly action: Action;
  readonly at: string;
  readonly author: Author;
  /** The client's address. */
  readonly address?: string | null;
  /** The post's id; with `last_post_id`, the first id of a range. */
  readonly post_id?: number;
  readonly last_post_id?: number;
  /** The number of posts of an action on several, which {@link CHANGES_PATH} lists. */
  readonly post_count?: number;
  readonly title: string | null;
  /** The account or token that the entry concerns. */
  readonly subject?: string | null;
  /** The new value: a role, a format, the names of settings. */
  readonly detail?: string | null;
  /** The number of events that are combined in this entry. */
  readonly count?: number;
}

/** Exports all entries that match a filter, as CSV. */
export async function exportChanges(filter: ListQuery): Promise<void> {
  const mediaType = 'text/csv';
  const file = await openFile({ name: 'change-log.csv', mediaType, extension: '.csv' });
  if (!file) return;
  try {
    const { body } = await api.send(CHANGES_PATH, { query: filter, headers: { Accept: mediaType } });
    if (body) for await (const piece of piecesOf(body)) await file.write(piece);
    await file.close();
    notify(t('changes.exported'));
  } catch (error) {
    await file.abort().catch(() => undefined);
    throw error;
  }
}
