import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNotify } from 'react-admin';
import { api, session } from '../api/client.js';
import { ConfirmDialog } from '../shell/confirm-dialog.js';
import { DataTable } from '../shell/data-table.js';
import { useFailureText } from '../shell/failure.js';
import { Loaded } from '../shell/loaded.js';
import { Page } from '../shell/page.js';
import { useTexts } from '../texts/texts.js';
import { useAccountColumns } from './account-columns.js';
import { type AccountRow, ACCOUNTS_PATH, addAccount, changeAccount } from './account.js';
import { CredentialsDialog } from './credentials-dialog.js';

type Asked =
  { readonly for: 'adding' } | { readonly for: 'disabling' | 'password'; readonly account: AccountRow };

export function AccountList(): ReactNode {
  const t = useTexts();
  const notify = useNotify();
  const failureText = useFailureText();
  const queryClient = useQueryClient();
  const accounts = useQuery({
    queryKey: [ACCOUNTS_PATH],
    queryFn: ({ signal }) => api.json<AccountRow[]>(ACCOUNTS_PATH, { signal }),
  });
  const [asked, setAsked] = useState<Asked>();
  const ownId = session.current?.account.id;
  const account = asked !== undefined && asked.for !== 'adding' ? asked.account : undefined;
  const name = account?.username ?? '';

  const tell = async (text: string): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: [ACCOUNTS_PATH] });
    notify(text, { type: 'success' });
  };
  const enable = async ({ id, username }: AccountRow): Promise<void> => {
    try {
      await changeAccount(id, { is_enabled: true });
      await tell(t('accounts.enabledDone', { name: username }));
    } catch (error) {
      notify(failureText(error), { type: 'error' });
    }
  };
  const columns = useAccountColumns({
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
          await tell(t('accounts.disabledDone', { name }));
        }}
      >
        <Typography>{t('accounts.disableText', { name })}</Typography>
      </ConfirmDialog>
      <CredentialsDialog
        isOpen={asked?.for === 'adding'}
        title={t('accounts.addTitle')}
        action={t('accounts.addButton')}
        fields={['username', 'password']}
        onClose={close}
        onSubmit={async ({ username, password }) => {
          await addAccount({ username, password });
          await tell(t('accounts.added', { name: username }));
        }}
      />
      <CredentialsDialog
        isOpen={asked?.for === 'password'}
        title={t('accounts.passwordTitle', { name })}
        text={t('accounts.passwordText')}
        action={t('accounts.save')}
        fields={account?.id === ownId ? ['current_password', 'password'] : ['password']}
        onClose={close}
        onSubmit={async ({ password, current_password }) => {
          if (account === undefined) return;
          await changeAccount(account.id, { password, ...(current_password !== '' && { current_password }) });
          await tell(t('accounts.passwordDone', { name }));
        }}
      />
    </Page>
  );
}
