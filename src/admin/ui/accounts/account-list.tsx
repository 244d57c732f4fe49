import { Button, Chip } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { AccountChangeDto, AccountDto } from '../../accounts.controller.js';
import { jsonQuery } from '../api/client.js';
import { KEYS } from '../api/keys.js';
import { ROLE_NAMES, useAccount } from '../api/roles.js';
import { ConfirmDialog, type OpenDialog, useDialog } from '../shell/dialogs.js';
import { FormDialog, type FormField } from '../shell/form.js';
import { actionColumn, momentColumn, type RowAction, UserText } from '../shell/list/columns.js';
import { CLASS, type Column, DataTable } from '../shell/list/data-table.js';
import { Loaded } from '../shell/loaded.js';
import { notifyFailure } from '../shell/notices.js';
import { Page } from '../shell/page.js';
import { sendChange } from '../shell/send-change.js';
import { quoted } from '../texts/texts.js';
import { Moment } from '../time/moment.js';
import { ACCOUNTS_PATH, PasswordDialog, PASSWORDS } from './password-dialog.js';

const ROLE = {
  name: 'role',
  kind: 'choice',
  label: 'Role',
  options: ROLE_NAMES,
  initial: 'viewer',
  help: 'Viewers read and export. Editors also write, delete, restore and import. Administrators also delete for good and manage accounts and tokens.',
} as const satisfies FormField<string>;

export function AccountList(): ReactNode {
  const { id: ownId } = useAccount();
  const [dialog, open] = useDialog();
  const columns = useMemo(() => columnsOf(ownId, open), [ownId, open]);
  const accounts = useQuery(jsonQuery<AccountDto[]>(KEYS.accounts, ACCOUNTS_PATH));
  return (
    <Page
      title="Accounts"
      about="The people who may log in. The history names an account also after it is disabled."
      actions={
        <Button variant="contained" onClick={() => open(<NewAccountDialog />)}>
          Add an account
        </Button>
      }
    >
      <Loaded query={accounts}>
        {(rows) => <DataTable label="Accounts" columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </Loaded>
      {dialog}
    </Page>
  );
}

function columnsOf(ownId: number, open: OpenDialog): readonly Column<AccountDto>[] {
  return [
    {
      label: 'User name',
      isHeader: true,
      render: ({ id, username, created_at: created }) => (
        <span>
          <UserText text={username} />
          <span className={CLASS.more}>
            {id === ownId && <span>you, </span>}
            added <Moment at={created} />
          </span>
        </span>
      ),
    },
    { label: 'Role', render: ({ role }) => ROLE_NAMES[role] },
    {
      label: 'State',
      render: ({ is_enabled: isEnabled }) => (
        <Chip color={isEnabled ? 'success' : 'default'} label={isEnabled ? 'Enabled' : 'Disabled'} />
      ),
    },
    momentColumn('Last login', (account) => account.last_login_at, 'Never'),
    actionColumn(
      ({ username }) => quoted(username),
      (account) => [
        { label: 'Role…', run: () => open(<RoleDialog account={account} />) },
        {
          label: 'Password…',
          run: () => open(<PasswordDialog id={account.id} name={account.username} />),
        },
        account.is_enabled && {
          label: 'Disable',
          isDangerous: true,
          run: () => open(<DisableDialog account={account} />),
        },
        !account.is_enabled && enablingOf(account, open),
      ],
    ),
  ];
}

/** Enables a disabled account. For an administrator it asks for the password of the account that is logged in. */
function enablingOf(account: AccountDto, open: OpenDialog): RowAction {
  if (account.role === 'administrator')
    return { label: 'Enable…', run: () => open(<EnableDialog account={account} />) };
  return { label: 'Enable', run: () => notifyFailure(enable(account)) };
}

function NewAccountDialog(): ReactNode {
  return (
    <FormDialog
      title="Add an account"
      action="Add"
      fields={[
        { name: 'username', kind: 'text', label: 'User name', autoComplete: 'username' },
        ROLE,
        PASSWORDS.next,
        PASSWORDS.current,
      ]}
      send={(json) => {
        const done = `The account ${quoted(json.username)} is added.`;
        return sendChange(ACCOUNTS_PATH, { method: 'POST', json }, KEYS.accounts, done);
      }}
    />
  );
}

function RoleDialog({ account }: { account: AccountDto }): ReactNode {
  const name = quoted(account.username);
  return (
    <FormDialog
      title={`Change the role of ${name}`}
      action="Change"
      fields={[
        { ...ROLE, initial: account.role },
        { ...PASSWORDS.current, isOptional: true, help: 'Needed to make an administrator.' },
      ]}
      send={({ role, current_password: password }) =>
        change(
          account,
          { role: role as AccountDto['role'], ...(password !== '' && { current_password: password }) },
          `The role of ${name} is changed.`,
        )
      }
    />
  );
}

function DisableDialog({ account }: { account: AccountDto }): ReactNode {
  const name = quoted(account.username);
  const done = `${name} is disabled and logged out; its API tokens are revoked.`;
  return (
    <ConfirmDialog
      title="Disable this account?"
      text={`${name} is logged out at once, everywhere, and cannot log in until the account is enabled again. The API tokens that it made are revoked for good.`}
      action="Disable"
      isDangerous
      run={() => change(account, { is_enabled: false }, done)}
    />
  );
}

function EnableDialog({ account }: { account: AccountDto }): ReactNode {
  return (
    <FormDialog
      title={`Enable the administrator ${quoted(account.username)}`}
      action="Enable"
      fields={[PASSWORDS.current]}
      send={(json) => enable(account, json)}
    />
  );
}

/** @param confirmation the current password, which an administrator needs */
function enable(account: AccountDto, confirmation: object = {}): Promise<void> {
  return change(
    account,
    { is_enabled: true, ...confirmation },
    `${quoted(account.username)} can log in again.`,
  );
}

function change({ id }: AccountDto, json: AccountChangeDto, done: string): Promise<void> {
  return sendChange(`${ACCOUNTS_PATH}${id}/`, { method: 'PUT', json }, KEYS.accounts, done);
}
