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
import { t } from '../texts/texts.js';
import { ACCOUNTS_PATH, addAccount, changeAccount, PASSWORDS, ROLE_NAMES } from './account.js';
import { PasswordDialog } from './password-dialog.js';

const FIELDS = [
  { name: 'search', kind: 'search', label: t('accounts.username') },
  { name: 'role', kind: 'choice', label: t('accounts.role'), options: ROLE_NAMES },
  {
    name: 'state',
    kind: 'choice',
    label: t('accounts.state'),
    options: { true: t('accounts.enabled'), false: t('accounts.disabled') },
  },
] as const satisfies FilterField<string>[];

const ROLE = {
  name: 'role',
  kind: 'choice',
  label: t('accounts.role'),
  options: ROLE_NAMES,
  initial: 'viewer',
  help: t('accounts.roleHelp'),
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
      title={t('accounts.title')}
      about={t('accounts.about')}
      actions={
        <Button variant="contained" onClick={() => open((close) => <AddDialog onClose={close} />)}>
          {t('accounts.add')}
        </Button>
      }
      label={t('accounts.title')}
      query={accounts}
      filters={filters}
      empty={t('accounts.empty')}
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
      label: t('accounts.username'),
      isHeader: true,
      render: ({ id, username }) => (
        <span>
          <span dir="auto">{username}</span>
          {id === ownId && ` (${t('accounts.you')})`}
        </span>
      ),
    },
    { id: 'role', label: t('accounts.role'), render: ({ role }) => ROLE_NAMES[role] },
    {
      id: 'state',
      label: t('accounts.state'),
      render: ({ is_enabled: isEnabled }) => (
        <StateChip
          color={isEnabled ? 'success' : 'default'}
          label={t(isEnabled ? 'accounts.enabled' : 'accounts.disabled')}
        />
      ),
    },
    momentColumn('created', t('accounts.created'), ({ created_at }) => created_at),
    momentColumn('login', t('accounts.lastLogin'), (account) => account.last_login_at, t('lists.never')),
    actionColumn((account) => {
      const { id, username: name, is_enabled: isEnabled } = account;
      return [
        {
          label: t('accounts.changeRole'),
          name: t('accounts.changeRoleOf', { name }),
          run: () => open((close) => <RoleDialog account={account} onClose={close} />),
        },
        {
          label: t('accounts.changePassword'),
          name: t('accounts.changePasswordOf', { name }),
          run: () => open((close) => <PasswordDialog id={id} name={name} onClose={close} />),
        },
        isEnabled
          ? {
              label: t('accounts.disable'),
              name: t('accounts.disableOne', { name }),
              isDangerous: true,
              run: () => open((close) => <DisableDialog account={account} onClose={close} />),
            }
          : {
              label: t('accounts.enable'),
              name: t('accounts.enableOne', { name }),
              run: () =>
                void notifyFailure(
                  changeAccount(id, { is_enabled: true }, t('accounts.enabledDone', { name })),
                ),
            },
      ];
    }),
  ];
}

function AddDialog({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <FormDialog
      title={t('accounts.add')}
      action={t('accounts.addButton')}
      fields={[
        { name: 'username', kind: 'text', label: t('accounts.username') },
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
      title={t('accounts.roleTitle', { name })}
      action={t('accounts.save')}
      fields={[{ ...ROLE, initial: role }]}
      onClose={onClose}
      onSubmit={(chosen) =>
        changeAccount(id, { role: chosen.role as Role }, t('accounts.roleDone', { name }))
      }
    />
  );
}

function DisableDialog({ account: { id, username: name }, onClose }: AccountDialogProps): ReactNode {
  return (
    <ConfirmDialog
      isDangerous
      title={t('accounts.disableTitle')}
      action={t('accounts.disable')}
      onClose={onClose}
      onConfirm={() => changeAccount(id, { is_enabled: false }, t('accounts.disabledDone', { name }))}
    >
      <Typography>{t('accounts.disableText', { name })}</Typography>
    </ConfirmDialog>
  );
}
