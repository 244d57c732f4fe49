import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import type { ApiTokenDto, IssuedApiTokenDto } from '../../api-tokens.controller.js';
import { ROLE_NAMES } from '../accounts/account.js';
import { api, queryClient } from '../api/client.js';
import { ConfirmDialog } from '../shell/dialogs.js';
import { type DialogField, FormDialog } from '../shell/form-dialog.js';
import { actionColumn, momentColumn, StateChip } from '../shell/list/columns.js';
import type { Column } from '../shell/list/data-table.js';
import { ListPage } from '../shell/list/list-page.js';
import { isLike, useWholeList } from '../shell/list/list-rows.js';
import { type FilterField, useUrlFilters } from '../shell/list/url-filters.js';
import { notify } from '../shell/notices.js';
import { useDialog } from '../shell/use-dialog.js';
import { t } from '../texts/texts.js';
import { startOfDay } from '../time/input.js';
import { Moment } from '../time/moment.js';
import { useTimeZone } from '../time/time-zone.js';
import { MadeTokenDialog } from './made-token-dialog.js';

const PATH = 'admin/api/tokens/';
const ROLES = { editor: ROLE_NAMES.editor, viewer: ROLE_NAMES.viewer };

const FIELDS = [
  { name: 'search', kind: 'search', label: t('tokens.name') },
  { name: 'role', kind: 'choice', label: t('accounts.role'), options: ROLES },
  {
    name: 'state',
    kind: 'choice',
    label: t('accounts.state'),
    options: { valid: t('tokens.valid'), expired: t('tokens.expired') },
  },
] as const satisfies FilterField<string>[];

const NEW_TOKEN = [
  { name: 'name', kind: 'text', label: t('tokens.name'), help: t('tokens.nameHelp') },
  { name: 'role', kind: 'choice', label: t('accounts.role'), options: ROLES, initial: 'editor' },
  {
    name: 'expires_at',
    kind: 'day',
    label: t('tokens.lastDay'),
    help: t('tokens.lastDayHelp'),
    isOptional: true,
  },
] as const satisfies DialogField<string>[];

const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [PATH] });

export function TokenList(): ReactNode {
  const zone = useTimeZone();
  const filters = useUrlFilters(FIELDS);
  const { search, role, state } = filters.values;
  const [now] = useState(Date.now);
  const isExpired = ({ expires_at }: ApiTokenDto): boolean =>
    expires_at !== null && Date.parse(expires_at) <= now;
  const tokens = useWholeList<ApiTokenDto>(
    PATH,
    (token) =>
      isLike(token.name, search) &&
      (role === '' || token.role === role) &&
      (state === '' || isExpired(token) === (state === 'expired')),
  );
  const [dialog, open] = useDialog();

  const add = (): void =>
    open((close) => (
      <FormDialog
        title={t('tokens.add')}
        action={t('tokens.make')}
        fields={NEW_TOKEN}
        onClose={close}
        onSubmit={async ({ expires_at: lastDay, ...token }) => {
          const expiresAt = startOfDay(lastDay, zone, 1);
          const json = { ...token, ...(expiresAt !== undefined && { expires_at: expiresAt }) };
          const made = await api.json<IssuedApiTokenDto>(PATH, { method: 'POST', json });
          await reload();
          open((closeMade) => <MadeTokenDialog made={made} onClose={closeMade} />);
        }}
      />
    ));
  const revoke = ({ id, name }: ApiTokenDto): void =>
    open((close) => (
      <ConfirmDialog
        isDangerous
        title={t('tokens.revokeTitle')}
        action={t('tokens.revoke')}
        onClose={close}
        onConfirm={async () => {
          await api.send(`${PATH}${id}/`, { method: 'DELETE' });
          await reload();
          notify(t('tokens.revoked'));
        }}
      >
        <Typography>{t('tokens.revokeText', { name })}</Typography>
      </ConfirmDialog>
    ));

  return (
    <ListPage
      title={t('tokens.title')}
      about={t('tokens.about')}
      actions={
        <Button variant="contained" onClick={add}>
          {t('tokens.add')}
        </Button>
      }
      label={t('tokens.title')}
      query={tokens}
      filters={filters}
      empty={t('tokens.empty')}
      columns={tokenColumns(isExpired, revoke)}
    >
      {dialog}
    </ListPage>
  );
}

function tokenColumns(
  isExpired: (token: ApiTokenDto) => boolean,
  onRevoke: (token: ApiTokenDto) => void,
): Column<ApiTokenDto>[] {
  return [
    {
      id: 'name',
      label: t('tokens.name'),
      isHeader: true,
      render: ({ name }) => <span dir="auto">{name}</span>,
    },
    { id: 'role', label: t('accounts.role'), render: ({ role }) => ROLE_NAMES[role] },
    { id: 'hint', label: t('tokens.hint'), render: ({ hint }) => <code>…{hint}</code> },
    {
      id: 'created',
      label: t('tokens.created'),
      render: ({ created_at, created_by }) => (
        <span>
          <Moment at={created_at} />
          {` ${t('tokens.createdBy', { name: created_by })}`}
        </span>
      ),
    },
    {
      id: 'expires',
      label: t('tokens.expires'),
      render: (token) =>
        token.expires_at === null ? (
          t('tokens.noExpiry')
        ) : (
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
            <Moment at={token.expires_at} />
            {isExpired(token) && <StateChip color="warning" label={t('tokens.expired')} />}
          </Stack>
        ),
    },
    momentColumn('used', t('tokens.lastUsed'), (token) => token.last_used_at, t('lists.never')),
    actionColumn((token) => [
      {
        label: t('tokens.revoke'),
        name: t('tokens.revokeOne', { name: token.name }),
        isDangerous: true,
        run: () => onRevoke(token),
      },
    ]),
  ];
}
