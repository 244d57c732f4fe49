import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { queryClient, session } from '../api/client.js';
import type { Role } from '../api/session.js';
import { ConfirmDialog } from '../shell/dialogs.js';
import { type DialogField, FormDialog } from '../shell/form-dialog.js';
import { actionColumn, momentColumn, StateChip } from '../shell/list/columns.js';
import type { Column } from '../shell/list/data-table.js';
import { ListPage } from '../shell/list/list-page.js';
import { isLike, useWholeList } from '../shell/list/list-rows.js';
import { type FilterField, useUrlFilters } from '../shell/list/url-filters.js';
import { notify, notifyFailure } from '../shell/notices.js';
import { t } from '../texts/texts.js';
import {
  type AccountChange,
  type AccountRow,
  ACCOUNTS_PATH,
  addAccount,
  changeAccount,
  PASSWORDS,
  ROLE_NAMES,
} from './account.js';
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

type Asked =
  { readonly for: 'add' } | { readonly for: 'role' | 'password' | 'disable'; readonly account: AccountRow };

const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [ACCOUNTS_PATH] });

export function AccountList(): ReactNode {
  const filters = useUrlFilters(FIELDS);
  const { search, role, state } = filters.values;
  const accounts = useWholeList<AccountRow>(
    ACCOUNTS_PATH,
    (account) =>
      isLike(account.username, search) &&
      (role === '' || account.role === role) &&
      (state === '' || String(account.is_enabled) === state),
  );
  const [asked, setAsked] = useState<Asked>();
  return (
    <ListPage
      title={t('accounts.title')}
      about={t('accounts.about')}
      actions={
        <Button variant="contained" onClick={() => setAsked({ for: 'add' })}>
          {t('accounts.add')}
        </Button>
      }
      label={t('accounts.table')}
      query={accounts}
      filters={filters}
      empty={t('accounts.empty')}
      columns={accountColumns(setAsked)}
    >
      {asked && <AccountDialog asked={asked} onClose={() => setAsked(undefined)} />}
    </ListPage>
  );
}

function accountColumns(ask: (asked: Asked) => void): Column<AccountRow>[] {
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
    momentColumn('login', t('accounts.lastLogin'), (account) => account.last_login_at, t('accounts.never')),
    actionColumn((account) => {
      const { username: name, is_enabled: isEnabled } = account;
      return [
        {
          label: t('accounts.changeRole'),
          name: t('accounts.changeRoleOf', { name }),
          run: () => ask({ for: 'role', account }),
        },
        {
          label: t('accounts.changePassword'),
          name: t('accounts.changePasswordOf', { name }),
          run: () => ask({ for: 'password', account }),
        },
        {
          label: t(isEnabled ? 'accounts.disable' : 'accounts.enable'),
          name: t(isEnabled ? 'accounts.disableOne' : 'accounts.enableOne', { name }),
          isDangerous: isEnabled,
          run: isEnabled
            ? () => ask({ for: 'disable', account })
            : () =>
                void notifyFailure(
                  change(account, { is_enabled: true }, t('accounts.enabledDone', { name })),
                ),
        },
      ];
    }),
  ];
}

async function change({ id }: AccountRow, changed: AccountChange, done: string): Promise<void> {
  await changeAccount(id, changed);
  await reload();
  notify(done);
}

/** Asks for the values of a new account, or before a change of an account. */
function AccountDialog({ asked, onClose }: { asked: Asked; onClose: () => void }): ReactNode {
  if (asked.for === 'add') {
    return (
      <FormDialog
        title={t('accounts.addTitle')}
        action={t('accounts.addButton')}
        fields={[
          { name: 'username', kind: 'text', label: t('accounts.username') },
          ROLE,
          PASSWORDS.next,
          PASSWORDS.current,
        ]}
        onClose={onClose}
        onSubmit={async (account) => {
          await addAccount(account);
          await reload();
          notify(t('accounts.added', { name: account.username }));
        }}
      />
    );
  }
  const { account } = asked;
  const { id, username: name } = account;
  if (asked.for === 'password') {
    return <PasswordDialog id={id} name={name} onClose={onClose} onChanged={reload} />;
  }
  if (asked.for === 'role') {
    return (
      <FormDialog
        title={t('accounts.roleTitle', { name })}
        action={t('accounts.save')}
        fields={[{ ...ROLE, initial: account.role }]}
        onClose={onClose}
        onSubmit={({ role }) => change(account, { role: role as Role }, t('accounts.roleDone', { name }))}
      />
    );
  }
  return (
    <ConfirmDialog
      isDangerous
      title={t('accounts.disableTitle')}
      action={t('accounts.disable')}
      onClose={onClose}
      onConfirm={() => change(account, { is_enabled: false }, t('accounts.disabledDone', { name }))}
    >
      <Typography>{t('accounts.disableText', { name })}</Typography>
    </ConfirmDialog>
  );
}
