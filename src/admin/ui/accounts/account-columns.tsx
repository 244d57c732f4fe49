import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import type { Column } from '../shell/list/data-table.js';
import { RowActions } from '../shell/list/row-actions.js';
import { t, type TextKey } from '../texts/texts.js';
import { Moment } from '../time/moment.js';
import { type AccountRow, ROLE_NAMES } from './account.js';

export type AccountAction = 'role' | 'password' | 'disable' | 'enable';

const LABELS: Readonly<Record<AccountAction, readonly [label: TextKey, name: TextKey]>> = {
  role: ['accounts.changeRole', 'accounts.changeRoleOf'],
  password: ['accounts.changePassword', 'accounts.changePasswordOf'],
  disable: ['accounts.disable', 'accounts.disableOne'],
  enable: ['accounts.enable', 'accounts.enableOne'],
};

export function accountColumns(
  ownId: number | undefined,
  onAction: (action: AccountAction, account: AccountRow) => void,
): Column<AccountRow>[] {
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
      render: (account) => (
        <RowActions>
          {(['role', 'password', account.is_enabled ? 'disable' : 'enable'] as const).map((action) => {
            const [label, name] = LABELS[action];
            return (
              <Button
                key={action}
                size="small"
                color={action === 'disable' ? 'error' : 'primary'}
                aria-label={t(name, { name: account.username })}
                onClick={() => onAction(action, account)}
              >
                {t(label)}
              </Button>
            );
          })}
        </RowActions>
      ),
    },
  ];
}
