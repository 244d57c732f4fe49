import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { Role } from '../../../http/request/author.js';
import type { AccountDto } from '../../accounts/account.dto.js';
import { session } from '../api/client.js';
import { ConfirmDialog } from '../shell/dialogs.js';
import { type DialogField, FormDialog } from '../shell/form-dialog.js';
import { actionColumn, momentColumn, StateChip } from '../shell/list/columns.js';
import type { Column } from '../shell/list/data-table.js';
import { ListPage } from '../shell/list/list-page.js';
import { isLike, useWholeList } from '../shell/list/list-rows.js';
import { type FilterField, useUrlFilters } from '../shell/list/url-filters.js';
import { notifyFailure } from '../shell/notices.js';
import { type OpenDialog, useDialog } from '../shell/use-dialog.js';
import { quoted } from '../texts/texts.js';
import { ACCOUNTS_PATH, addAccount, changeAccount, PASSWORDS, ROLE_NAMES } from './account.js';
import { PasswordDialog } from './password-dialog.js';

const FIELDS = [
  { name: 'search', kind: 'search', label: 'User name' },
  { name: 'role', kind: 'choice', label: 'Role', options: ROLE_NAMES },
  {
    name: 'state',
    kind: 'choice',
    label: 'State',
    options: { true: 'Enabled', false: 'Disabled' },
  },
] as const satisfies FilterField<string>[];

const ROLE = {
  name: 'role',
  kind: 'choice',
  label: 'Role',
  options: ROLE_NAMES,
  initial: 'viewer',
  help: 'Viewers read and export. Editors also write, delete, restore and import. Administrators also delete for good and manage accounts and tokens.',
} as const satisfies DialogField<string>;

export function AccountList(): ReactNode {
  const filters = useUrlFilters(FIELDS);
  const { search, role, state } = filters.values;
  const accounts = useWholeList<AccountDto>(
    ACCOUNTS_PATH,
    (account) =>
      isLike(account.username, search) &&
      (role === '' || account.role === role) &&
      (state === '' || String(account.is_enabled) === state),
  );
  const [dialog, open] = useDialog();
  return (
    <ListPage
      title="Accounts"
      about="The people who may log in. The history names an account also after it is disabled."
      actions={
        <Button variant="contained" onClick={() => open((close) => <AddDialog onClose={close} />)}>
          Add an account
        </Button>
      }
      label="Accounts"
      query={accounts}
      filters={filters}
      empty="There are no accounts."
      columns={accountColumns(open)}
    >
      {dialog}
    </ListPage>
  );
}

function accountColumns(open: OpenDialog): Column<AccountDto>[] {
  const ownId = session.get()?.account.id;
  return [
    {
      id: 'username',
      label: 'User name',
      isHeader: true,
      render: ({ id, username }) => (
        <span>
          <span dir="auto">{username}</span>
          {id === ownId && ' (you)'}
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
    momentColumn('created', 'Added', ({ created_at }) => created_at),
    momentColumn('login', 'Last login', (account) => account.last_login_at, 'Never'),
    actionColumn((account) => {
      const { id, username: name, is_enabled: isEnabled } = account;
      return [
        {
          label: 'Change role',
          name: `Change role of ${quoted(name)}`,
          run: () => open((close) => <RoleDialog account={account} onClose={close} />),
        },
        {
          label: 'Change password',
          name: `Change password of ${quoted(name)}`,
          run: () => open((close) => <PasswordDialog id={id} name={name} onClose={close} />),
        },
        isEnabled
          ? {
              label: 'Disable',
              name: `Disable ${quoted(name)}`,
              isDangerous: true,
              run: () => open((close) => <DisableDialog account={account} onClose={close} />),
            }
          : {
              label: 'Enable',
              name: `Enable ${quoted(name)}`,
              run: () =>
                void notifyFailure(
                  changeAccount(id, { is_enabled: true }, `${quoted(name)} can log in again.`),
                ),
            },
      ];
    }),
  ];
}

function AddDialog({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <FormDialog
      title="Add an account"
      action="Add"
      fields={[
        { name: 'username', kind: 'text', label: 'User name' },
        ROLE,
        PASSWORDS.next,
        PASSWORDS.current,
      ]}
      onClose={onClose}
      onSubmit={addAccount}
    />
  );
}

interface AccountDialogProps {
  readonly account: AccountDto;
  readonly onClose: () => void;
}

function RoleDialog({ account: { id, role, username: name }, onClose }: AccountDialogProps): ReactNode {
  return (
    <FormDialog
      title={`Change the role of ${quoted(name)}`}
      action="Change"
      fields={[
        { ...ROLE, initial: role },
        { ...PASSWORDS.current, isOptional: true, help: 'Needed to make an administrator.' },
      ]}
      onClose={onClose}
      onSubmit={({ role: chosen, current_password: current }) =>
        changeAccount(
          id,
          { role: chosen as Role, ...(current !== '' && { current_password: current }) },
          `The role of ${quoted(name)} is changed.`,
        )
      }
    />
  );
}

function DisableDialog({ account: { id, username: name }, onClose }: AccountDialogProps): ReactNode {
  return (
    <ConfirmDialog
      isDangerous
      title="Disable this account?"
      action="Disable"
      onClose={onClose}
      onConfirm={() =>
        changeAccount(
          id,
          { is_enabled: false },
          `${quoted(name)} is disabled and logged out; its API tokens are revoked.`,
        )
      }
    >
      <Typography>{`${quoted(name)} is logged out at once, everywhere, and cannot log in until the account is enabled again. The API tokens that it made are revoked for good.`}</Typography>
    </ConfirmDialog>
  );
}
