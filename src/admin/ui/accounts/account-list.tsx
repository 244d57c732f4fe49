import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { queryClient, session } from '../api/client.js';
import type { Role } from '../api/session.js';
import { ABOUT } from '../changes/change-list.js';
import { ConfirmDialog } from '../shell/dialogs.js';
import { failureText } from '../shell/failure.js';
import { type DialogField, FormDialog } from '../shell/form-dialog.js';
import type { FilterField } from '../shell/list/filters.js';
import { List } from '../shell/list/list.js';
import { isLike, useWholeList } from '../shell/list/list-page.js';
import { useUrlFilters } from '../shell/list/url-filters.js';
import { notify } from '../shell/notices.js';
import { Page } from '../shell/page.js';
import { t } from '../texts/texts.js';
import {
  type AccountChange,
  type AccountRow,
  ACCOUNTS_PATH,
  addAccount,
  changeAccount,
  ROLE_NAMES,
} from './account.js';
import { type AccountAction, accountColumns } from './account-columns.js';
import { CURRENT_PASSWORD, NEW_PASSWORD } from './own-password-dialog.js';

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

type Asked = { readonly for: 'add' } | { readonly for: AccountAction; readonly account: AccountRow };

export function AccountList(): ReactNode {
  const filters = useUrlFilters(FIELDS.map(({ name }) => name));
  const { search, role, state } = filters.values;
  const accounts = useWholeList<AccountRow>(
    ACCOUNTS_PATH,
    (account) =>
      isLike(account.username, search) &&
      (role === '' || account.role === role) &&
      (state === '' || String(account.is_enabled) === state),
  );
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  const act = (action: AccountAction, account: AccountRow): void => {
    if (action === 'enable') void enable(account);
    else setAsked({ for: action, account });
  };
  return (
    <Page
      title={t('accounts.title')}
      actions={
        <Button variant="contained" onClick={() => setAsked({ for: 'add' })}>
          {t('accounts.add')}
        </Button>
      }
    >
      <Typography sx={ABOUT}>{t('accounts.about')}</Typography>
      <List
        label={t('accounts.table')}
        query={accounts}
        fields={FIELDS}
        filters={filters}
        empty={t('accounts.empty')}
        columns={accountColumns(session.get()?.account.id, act)}
        keyOf={({ id }) => id}
      />
      {asked?.for === 'add' && (
        <FormDialog
          title={t('accounts.addTitle')}
          action={t('accounts.addButton')}
          fields={[
            { name: 'username', kind: 'text', label: t('accounts.username') },
            ROLE,
            NEW_PASSWORD,
            CURRENT_PASSWORD,
          ]}
          onClose={close}
          onSubmit={async (account) => {
            await addAccount(account);
            await reloadAndNotify(t('accounts.added', { name: account.username }));
          }}
        />
      )}
      {asked !== undefined && asked.for !== 'add' && (
        <AccountDialog action={asked.for} account={asked.account} onClose={close} />
      )}
    </Page>
  );
}

interface AccountDialogProps {
  readonly action: AccountAction;
  readonly account: AccountRow;
  readonly onClose: () => void;
}

/** Asks for confirmation before a change of an account. */
function AccountDialog({ action, account, onClose }: AccountDialogProps): ReactNode {
  const { id, username: name } = account;
  const change = async (changed: AccountChange, done: string): Promise<void> => {
    await changeAccount(id, changed);
    await reloadAndNotify(done);
  };
  if (action === 'role') {
    return (
      <FormDialog
        title={t('accounts.roleTitle', { name })}
        action={t('accounts.save')}
        fields={[{ ...ROLE, initial: account.role }]}
        onClose={onClose}
        onSubmit={({ role }) => change({ role: role as Role }, t('accounts.roleDone', { name }))}
      />
    );
  }
  if (action === 'password') {
    return (
      <FormDialog
        title={t('accounts.passwordTitle', { name })}
        text={t('accounts.passwordText')}
        action={t('accounts.save')}
        fields={[CURRENT_PASSWORD, NEW_PASSWORD]}
        onClose={onClose}
        onSubmit={(passwords) => change(passwords, t('accounts.passwordDone', { name }))}
      />
    );
  }
  return (
    <ConfirmDialog
      isOpen
      isDangerous
      title={t('accounts.disableTitle')}
      action={t('accounts.disable')}
      onClose={onClose}
      onConfirm={() => change({ is_enabled: false }, t('accounts.disabledDone', { name }))}
    >
      <Typography>{t('accounts.disableText', { name })}</Typography>
    </ConfirmDialog>
  );
}

async function reloadAndNotify(text: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [ACCOUNTS_PATH] });
  notify(text);
}

async function enable({ id, username }: AccountRow): Promise<void> {
  try {
    await changeAccount(id, { is_enabled: true });
    await reloadAndNotify(t('accounts.enabledDone', { name: username }));
  } catch (error) {
    notify(failureText(error), { type: 'error' });
  }
}
