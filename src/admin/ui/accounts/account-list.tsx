import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import type { AccountChangeDto, AccountDto } from '../../accounts.controller.js';
import { session } from '../api/client.js';
import { sendChange } from '../shell/change.js';
import { confirm, openDialog } from '../shell/dialogs.js';
import { type FormField, openForm } from '../shell/form.js';
import { actionColumn, momentColumn, StateChip } from '../shell/list/columns.js';
import type { Column } from '../shell/list/data-table.js';
import { ListPage } from '../shell/list/list-page.js';
import { isLike, useWholeList } from '../shell/list/list-rows.js';
import { type FilterField, useUrlFilters } from '../shell/list/url-filters.js';
import { notifyFailure } from '../shell/notices.js';
import { quoted } from '../texts/texts.js';
import { Moment } from '../time/moment.js';
import { ACCOUNTS_PATH, PASSWORDS, ROLE_NAMES } from './account.js';
import { PasswordDialog } from './password-dialog.js';

const FILTERS = [
  { name: 'search', kind: 'search', label: 'User name' },
  { name: 'role', kind: 'choice', label: 'Role', options: ROLE_NAMES },
  { name: 'state', kind: 'choice', label: 'State', options: { true: 'Enabled', false: 'Disabled' } },
] as const satisfies FilterField<string>[];

const ROLE = {
  name: 'role',
  kind: 'choice',
  label: 'Role',
  options: ROLE_NAMES,
  initial: 'viewer',
  help: 'Viewers read and export. Editors also write, delete, restore and import. Administrators also delete for good and manage accounts and tokens.',
} as const satisfies FormField<string>;

export function AccountList(): ReactNode {
  const filters = useUrlFilters(FILTERS);
  const { search, role, state } = filters.values;
  const accounts = useWholeList<AccountDto>(
    ACCOUNTS_PATH,
    (account) =>
      isLike(account.username, search) &&
      (role === '' || account.role === role) &&
      (state === '' || String(account.is_enabled) === state),
  );
  return (
    <ListPage
      title="Accounts"
      about="The people who may log in. The history names an account also after it is disabled."
      actions={
        <Button variant="contained" onClick={addAccount}>
          Add an account
        </Button>
      }
      label="Accounts"
      query={accounts}
      filters={filters}
      empty="There are no accounts."
      columns={COLUMNS}
    />
  );
}

const COLUMNS: readonly Column<AccountDto>[] = [
  {
    id: 'username',
    label: 'User name',
    isHeader: true,
    render: ({ id, username, created_at: created }) => (
      <span>
        <span dir="auto" style={{ minWidth: 0 }}>
          {username}
        </span>
        {id === session.get()?.account.id && ' (you)'}
        <span className="more">
          added <Moment at={created} />
        </span>
      </span>
    ),
  },
  { id: 'role', label: 'Role', render: ({ role }) => ROLE_NAMES[role] },
  {
    id: 'state',
    label: 'State',
    render: ({ is_enabled: isEnabled }) => (
      <StateChip color={isEnabled ? 'success' : 'default'} label={isEnabled ? 'Enabled' : 'Disabled'} />
    ),
  },
  momentColumn('login', 'Last login', (account) => account.last_login_at, 'Never'),
  actionColumn((account) => {
    const { id, username } = account;
    const name = quoted(username);
    return [
      { label: 'Change role', name: `Change role of ${name}`, run: () => changeRole(account) },
      {
        label: 'Change password',
        name: `Change password of ${name}`,
        run: () => openDialog((close) => <PasswordDialog id={id} name={username} close={close} />),
      },
      account.is_enabled
        ? { label: 'Disable', name: `Disable ${name}`, isDangerous: true, run: () => disable(account) }
        : {
            label: 'Enable',
            name: `Enable ${name}`,
            run: () => notifyFailure(change(account, { is_enabled: true }, `${name} can log in again.`)),
          },
    ];
  }),
];

function addAccount(): void {
  openForm({
    title: 'Add an account',
    action: 'Add',
    fields: [{ name: 'username', kind: 'text', label: 'User name' }, ROLE, PASSWORDS.next, PASSWORDS.current],
    send: (json) =>
      sendChange(ACCOUNTS_PATH, { method: 'POST', json }, `The account ${quoted(json.username)} is added.`),
  });
}

function changeRole(account: AccountDto): void {
  const name = quoted(account.username);
  openForm({
    title: `Change the role of ${name}`,
    action: 'Change',
    fields: [
      { ...ROLE, initial: account.role },
      { ...PASSWORDS.current, isOptional: true, help: 'Needed to make an administrator.' },
    ],
    send: ({ role, current_password: password }) =>
      change(
        account,
        { role: role as AccountDto['role'], ...(password !== '' && { current_password: password }) },
        `The role of ${name} is changed.`,
      ),
  });
}

function disable(account: AccountDto): void {
  const name = quoted(account.username);
  confirm({
    title: 'Disable this account?',
    text: `${name} is logged out at once, everywhere, and cannot log in until the account is enabled again. The API tokens that it made are revoked for good.`,
    action: 'Disable',
    isDangerous: true,
    run: () =>
      change(
        account,
        { is_enabled: false },
        `${name} is disabled and logged out; its API tokens are revoked.`,
      ),
  });
}

function change({ id }: AccountDto, json: AccountChangeDto, done: string): Promise<void> {
  return sendChange(`${ACCOUNTS_PATH}${id}/`, { method: 'PUT', json }, done);
}
