import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, queryClient, session } from '../api/client.js';
import { DataTable } from '../shell/data-table.js';
import { ConfirmDialog } from '../shell/dialogs.js';
import { failureText } from '../shell/failure.js';
import { Loaded } from '../shell/loaded.js';
import { notify } from '../shell/notices.js';
import { Page } from '../shell/page.js';
import { t } from '../texts/texts.js';
import { accountColumns } from './account-columns.js';
import { type AccountRow, ACCOUNTS_PATH, addAccount, changeAccount } from './account.js';
import { CredentialsDialog } from './credentials-dialog.js';

type Asked =
  { readonly for: 'adding' } | { readonly for: 'disabling' | 'password'; readonly account: AccountRow };

export function AccountList(): ReactNode {
  const accounts = useQuery({
    queryKey: [ACCOUNTS_PATH],
    queryFn: ({ signal }) => api.json<AccountRow[]>(ACCOUNTS_PATH, { signal }),
  });
  const [asked, setAsked] = useState<Asked>();
  const ownId = session.get()?.account.id;
  const account = asked !== undefined && asked.for !== 'adding' ? asked.account : undefined;
  const name = account?.username ?? '';

  const columns = accountColumns({
    ownId,
    onEnable: (row) => void enable(row),
    onDisable: (row) => setAsked({ for: 'disabling', account: row }),
    onChangePassword: (row) => setAsked({ for: 'password', account: row }),
  });
  const close = (): void => setAsked(undefined);

  return (
    <Page
      title={t('accounts.title')}
      actions={
        <Button variant="contained" onClick={() => setAsked({ for: 'adding' })}>
          {t('accounts.add')}
        </Button>
      }
    >
      <Typography sx={{ color: 'text.secondary', mb: 2 }}>{t('accounts.about')}</Typography>
      <Loaded query={accounts}>
        {(rows) => (
          <DataTable label={t('accounts.table')} columns={columns} rows={rows} keyOf={({ id }) => id} />
        )}
      </Loaded>
      <ConfirmDialog
        isOpen={asked?.for === 'disabling'}
        isDangerous
        title={t('accounts.disableTitle')}
        action={t('accounts.disable')}
        onClose={close}
        onConfirm={async () => {
          if (account === undefined) return;
          await changeAccount(account.id, { is_enabled: false });
          await reloadAndNotify(t('accounts.disabledDone', { name }));
        }}
      >
        <Typography>{t('accounts.disableText', { name })}</Typography>
      </ConfirmDialog>
      <CredentialsDialog
        isOpen={asked?.for === 'adding'}
        title={t('accounts.addTitle')}
        action={t('accounts.addButton')}
        fields={['username', 'password', 'current_password']}
        onClose={close}
        onSubmit={async ({ username, password, current_password }) => {
          await addAccount({ username, password, current_password });
          await reloadAndNotify(t('accounts.added', { name: username }));
        }}
      />
      <CredentialsDialog
        isOpen={asked?.for === 'password'}
        title={t('accounts.passwordTitle', { name })}
        text={t('accounts.passwordText')}
        action={t('accounts.save')}
        fields={['current_password', 'password']}
        onClose={close}
        onSubmit={async ({ password, current_password }) => {
          if (account === undefined) return;
          await changeAccount(account.id, { password, current_password });
          await reloadAndNotify(t('accounts.passwordDone', { name }));
        }}
      />
    </Page>
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
