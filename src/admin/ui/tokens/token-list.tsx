import { Button, Chip, Stack } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { ApiTokenDto, IssuedApiTokenDto } from '../../api-tokens.controller.js';
import { PASSWORDS } from '../accounts/password-dialog.js';
import { api, jsonQuery, queryClient } from '../api/client.js';
import { KEYS } from '../api/keys.js';
import { ROLE_NAMES } from '../api/roles.js';
import { OpenWrites } from '../dashboard/open-writes.js';
import { ConfirmDialog, type OpenDialog, useDialog } from '../shell/dialogs.js';
import { FormDialog, type FormField } from '../shell/form.js';
import { actionColumn, momentColumn, UserText } from '../shell/list/columns.js';
import { type Column, DataTable } from '../shell/list/data-table.js';
import { Empty, Loaded } from '../shell/loaded.js';
import { Page } from '../shell/page.js';
import { sendChange } from '../shell/send-change.js';
import { isolated, quoted } from '../texts/texts.js';
import { startOfDay } from '../time/input.js';
import { Moment } from '../time/moment.js';
import { useTimeZone } from '../time/time-zone.js';
import { MadeTokenDialog } from './made-token-dialog.js';

const PATH = 'admin/api/tokens/';
const ROLES = { editor: ROLE_NAMES.editor, viewer: ROLE_NAMES.viewer };

const NEW_TOKEN = [
  {
    name: 'name',
    kind: 'text',
    label: 'Name',
    help: 'The program that uses the token, such as “Nightly import”.',
  },
  { name: 'role', kind: 'choice', label: 'Role', options: ROLES, initial: 'editor' },
  {
    name: 'expires_at',
    kind: 'day',
    label: 'Last day',
    help: 'Optional. The token expires at the end of this day.',
    isOptional: true,
  },
  PASSWORDS.current,
] as const satisfies FormField<string>[];

export function TokenList(): ReactNode {
  const [dialog, open] = useDialog();
  const columns = useMemo(() => columnsOf(open), [open]);
  const tokens = useQuery(jsonQuery<ApiTokenDto[]>(KEYS.tokens, PATH));
  return (
    <Page
      title="API tokens"
      about="A token lets a program read or write posts. The history shows the name of the token."
      actions={
        <Button variant="contained" onClick={() => open(<NewTokenDialog open={open} />)}>
          Create a token
        </Button>
      }
    >
      <OpenWrites />
      <Loaded query={tokens}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>There are no API tokens yet.</Empty>
          ) : (
            <DataTable label="API tokens" columns={columns} rows={rows} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {dialog}
    </Page>
  );
}

function columnsOf(open: OpenDialog): readonly Column<ApiTokenDto>[] {
  return [
    { label: 'Name', isHeader: true, render: ({ name }) => <UserText text={name} /> },
    { label: 'Role', render: ({ role }) => ROLE_NAMES[role] },
    { label: 'Ends in', render: ({ hint }) => <code>…{hint}</code> },
    {
      label: 'Made',
      render: ({ created_at, created_by }) => (
        <span>
          <Moment at={created_at} />
          {` by ${isolated(created_by)}`}
        </span>
      ),
    },
    {
      label: 'Expires',
      render: (token) =>
        token.expires_at === null ? (
          'Does not expire'
        ) : (
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
            <Moment at={token.expires_at} />
            {isExpired(token) && <Chip color="warning" label="Expired" />}
          </Stack>
        ),
    },
    momentColumn('Last used', (token) => token.last_used_at, 'Never'),
    actionColumn(
      ({ name }) => quoted(name),
      (token) => [
        {
          label: 'Revoke',
          isDangerous: true,
          run: () => open(<RevokeDialog token={token} />),
        },
      ],
    ),
  ];
}

function isExpired({ expires_at }: ApiTokenDto): boolean {
  return expires_at !== null && Date.parse(expires_at) <= api.now().getTime();
}

function NewTokenDialog({ open }: { open: OpenDialog }): ReactNode {
  const zone = useTimeZone();
  return (
    <FormDialog
      title="Create a token"
      action="Create"
      fields={NEW_TOKEN}
      send={async ({ expires_at: lastDay, ...token }) => {
        const expiresAt = startOfDay(lastDay, zone, 1);
        const json = { ...token, ...(expiresAt !== undefined && { expires_at: expiresAt }) };
        const made = await api.json<IssuedApiTokenDto>(PATH, { method: 'POST', json });
        void queryClient.invalidateQueries({ queryKey: KEYS.tokens });
        return made;
      }}
      onSent={(made) => open(<MadeTokenDialog made={made} />)}
    />
  );
}

function RevokeDialog({ token: { id, name } }: { token: ApiTokenDto }): ReactNode {
  return (
    <ConfirmDialog
      title="Revoke this token?"
      text={`Programs that use ${quoted(name)} are refused from now on. This cannot be undone.`}
      action="Revoke"
      isDangerous
      run={() => sendChange(`${PATH}${id}/`, { method: 'DELETE' }, KEYS.tokens, 'The token is revoked.')}
    />
  );
}
