import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, queryClient } from '../api/client.js';
import { type Column, DataTable } from '../shell/data-table.js';
import { ConfirmDialog } from '../shell/dialogs.js';
import { Empty, Loaded } from '../shell/loaded.js';
import { Moment } from '../shell/moment.js';
import { notify } from '../shell/notices.js';
import { Page } from '../shell/page.js';
import { t } from '../texts/texts.js';
import type { ApiToken, MadeToken } from './api-token.js';
import { MadeTokenDialog } from './made-token-dialog.js';
import { MakeTokenForm } from './make-token-form.js';

const PATH = 'admin/api/tokens/';

export function TokenList(): ReactNode {
  const tokens = useQuery({
    queryKey: [PATH],
    queryFn: ({ signal }) => api.json<ApiToken[]>(PATH, { signal }),
  });
  const [made, setMade] = useState<MadeToken>();
  const [revoking, setRevoking] = useState<ApiToken>();
  const columns = tokenColumns(tokens.dataUpdatedAt, setRevoking);
  const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [PATH] });

  return (
    <Page title={t('tokens.title')}>
      <Typography sx={{ color: 'text.secondary', mb: 2 }}>{t('tokens.about')}</Typography>
      <MakeTokenForm
        make={async (token) => {
          setMade(await api.json<MadeToken>(PATH, { method: 'POST', json: token }));
          await reload();
        }}
      />
      <Loaded query={tokens}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{t('tokens.empty')}</Empty>
          ) : (
            <DataTable label={t('tokens.table')} columns={columns} rows={rows} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      <MadeTokenDialog token={made} onClose={() => setMade(undefined)} />
      <ConfirmDialog
        isOpen={revoking !== undefined}
        isDangerous
        title={t('tokens.revokeTitle')}
        action={t('tokens.revoke')}
        onClose={() => setRevoking(undefined)}
        onConfirm={async () => {
          if (revoking === undefined) return;
          await api.send(`${PATH}${revoking.id}/`, { method: 'DELETE' });
          await reload();
          notify(t('tokens.revoked'));
        }}
      >
        <Typography>{t('tokens.revokeText', { name: revoking?.name ?? '' })}</Typography>
      </ConfirmDialog>
    </Page>
  );
}

/** @param now when the list was loaded, in milliseconds since 1970 */
function tokenColumns(now: number, onRevoke: (token: ApiToken) => void): Column<ApiToken>[] {
  return [
    {
      id: 'name',
      label: t('tokens.name'),
      isHeader: true,
      render: ({ name }) => <span dir="auto">{name}</span>,
    },
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
      render: ({ expires_at }) => <Expiry at={expires_at} now={now} />,
    },
    {
      id: 'used',
      label: t('tokens.lastUsed'),
      render: ({ last_used_at }) =>
        last_used_at === null ? t('tokens.never') : <Moment at={last_used_at} />,
    },
    {
      id: 'actions',
      label: t('lists.actions'),
      isBareOnPhone: true,
      render: (token) => (
        <Button
          size="small"
          color="error"
          aria-label={t('tokens.revokeOne', { name: token.name })}
          onClick={() => onRevoke(token)}
          sx={{ mx: -0.625 }}
        >
          {t('tokens.revoke')}
        </Button>
      ),
    },
  ];
}

function Expiry({ at, now }: { at: string | null; now: number }): ReactNode {
  if (at === null) return t('tokens.noExpiry');
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
      <Moment at={at} />
      {Date.parse(at) <= now && (
        <Chip size="small" variant="outlined" color="warning" label={t('tokens.expired')} />
      )}
    </Stack>
  );
}
