import { api } from '../api/client.js';

export interface AccountRow {
  readonly id: number;
  readonly username: string;
  readonly is_enabled: boolean;
  readonly created_at: string;
  readonly last_login_at: string | null;
}

export const ACCOUNTS_PATH = 'admin/api/accounts/';

export interface AccountChange {
  readonly is_enabled?: boolean;
  readonly password?: string;
  /** Asked for when the account is one's own. */
  readonly current_password?: string;
}

export function changeAccount(id: number, change: AccountChange): Promise<AccountRow> {
  return api.json<AccountRow>(`${ACCOUNTS_PATH}${id}/`, { method: 'PUT', json: change });
}

export function addAccount(account: {
  username: string;
  password: string;
  current_password: string;
}): Promise<AccountRow> {
  return api.json<AccountRow>(ACCOUNTS_PATH, { method: 'POST', json: account });
}
