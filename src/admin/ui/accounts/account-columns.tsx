import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Stack from '@mui/material/Stack';
import type { Column } from '../shell/data-table.js';
import { Moment } from '../shell/moment.js';
import { t } from '../texts/texts.js';
import type { AccountRow } from './account.js';

export interface AccountActions {
  readonly ownId: number | undefined;
  readonly onEnable: (account: AccountRow) => void;
  readonly onDisable: (account: AccountRow) => void;
  readonly onChangePassword: (account: AccountRow) => void;
}

export function accountColumns(actions: AccountActions): Column<AccountRow>[] {
  const { ownId, onEnable, onDisable, onChangePassword } = actions;
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
    {
      id: 'state',
      label: t('accounts.state'),
      render: ({ is_enabled }) => (
        <Chip
          size="small"
          variant="outlined"
          color={is_enabled ? 'success' : 'default'}
          label={t(is_enabled ? 'accounts.enabled' : 'accounts.disabled')}
        />
      ),
    },
    { id: 'created', label: t('accounts.created'), render: ({ created_at }) => <Moment at={created_at} /> },
    {
      id: 'login',
      label: t('accounts.lastLogin'),
      render: ({ last_login_at }) =>
        last_login_at === null ? t('accounts.never') : <Moment at={last_login_at} />,
    },
    {
      id: 'actions',
      label: t('lists.actions'),
      isBareOnPhone: true,
      render: (account) => {
        const name = account.username;
        return (
          <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 0.5, mx: -0.625 }}>
            <Button
              size="small"
              aria-label={t('accounts.changePasswordOf', { name })}
              onClick={() => onChangePassword(account)}
            >
              {t('accounts.changePassword')}
            </Button>
            {account.is_enabled ? (
              <Button
                size="small"
                color="error"
                aria-label={t('accounts.disableOne', { name })}
                onClick={() => onDisable(account)}
              >
                {t('accounts.disable')}
              </Button>
            ) : (
              <Button
                size="small"
                aria-label={t('accounts.enableOne', { name })}
                onClick={() => onEnable(account)}
              >
                {t('accounts.enable')}
              </Button>
            )}
          </Stack>
        );
      },
    },
  ];
}
