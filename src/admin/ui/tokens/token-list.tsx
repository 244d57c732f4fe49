import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import type { ApiTokenDto, IssuedApiTokenDto } from '../../api-tokens.controller.js';
import { PASSWORDS, ROLE_NAMES } from '../accounts/account.js';
import { api, queryClient } from '../api/client.js';
import { OpenWrites } from '../dashboard/open-writes.js';
import { sendChange } from '../shell/change.js';
import { confirm, openDialog } from '../shell/dialogs.js';
import { type FormField, openForm } from '../shell/form.js';
import { actionColumn, momentColumn, StateChip } from '../shell/list/columns.js';
import type { Column } from '../shell/list/data-table.js';
import { ListPage } from '../shell/list/list-page.js';
import { isLike, useWholeList } from '../shell/list/list-rows.js';
import { type FilterField, useUrlFilters } from '../shell/list/url-filters.js';
import { isolated, quoted } from '../texts/texts.js';
import { startOfDay } from '../time/input.js';
import { Moment } from '../time/moment.js';
import { timeZone } from '../time/time-zone.js';
import { MadeTokenDialog } from './made-token-dialog.js';

const PATH = 'admin/api/tokens/';
const ROLES = { editor: ROLE_NAMES.editor, viewer: ROLE_NAMES.viewer };

const FILTERS = [
  { name: 'search', kind: 'search', label: 'Name' },
  { name: 'role', kind: 'choice', label: 'Role', options: ROLES },
  { name: 'state', kind: 'choice', label: 'State', options: { valid: 'Valid', expired: 'Expired' } },
] as const satisfies FilterField<string>[];

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
  const filters = useUrlFilters(FILTERS);
  const { search, role, state } = filters.values;
  const tokens = useWholeList<ApiTokenDto>(
    PATH,
    (token) =>
      isLike(token.name, search) &&
      (role === '' || token.role === role) &&
      (state === '' || isExpired(token) === (state === 'expired')),
  );
  return (
    <ListPage
      title="API tokens"
      about="A token lets a program read or write posts. The history shows the name of the token."
      actions={
        <Button variant="contained" onClick={createToken}>
          Create a token
        </Button>
      }
      label="API tokens"
      notice={<OpenWrites />}
      query={tokens}
      filters={filters}
      empty="There are no API tokens yet."
      columns={COLUMNS}
    />
  );
}

const COLUMNS: readonly Column<ApiTokenDto>[] = [
  { id: 'name', label: 'Name', isHeader: true, render: ({ name }) => <span dir="auto">{name}</span> },
  { id: 'role', label: 'Role', render: ({ role }) => ROLE_NAMES[role] },
  { id: 'hint', label: 'Ends in', render: ({ hint }) => <code>…{hint}</code> },
  {
    id: 'created',
    label: 'Made',
    render: ({ created_at, created_by }) => (
      <span>
        <Moment at={created_at} />
        {` by ${isolated(created_by)}`}
      </span>
    ),
  },
  {
    id: 'expires',
    label: 'Expires',
    render: (token) =>
      token.expires_at === null ? (
        'Does not expire'
      ) : (
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
          <Moment at={token.expires_at} />
          {isExpired(token) && <StateChip color="warning" label="Expired" />}
        </Stack>
      ),
  },
  momentColumn('used', 'Last used', (token) => token.last_used_at, 'Never'),
  actionColumn((token) => [
    { label: 'Revoke', name: `Revoke ${quoted(token.name)}`, isDangerous: true, run: () => revoke(token) },
  ]),
];

function isExpired({ expires_at }: ApiTokenDto): boolean {
  return expires_at !== null && Date.parse(expires_at) <= Date.now();
}

function createToken(): void {
  openForm({
    title: 'Create a token',
    action: 'Create',
    fields: NEW_TOKEN,
    send: async ({ expires_at: lastDay, ...token }) => {
      const expiresAt = startOfDay(lastDay, timeZone.get(), 1);
      const json = { ...token, ...(expiresAt !== undefined && { expires_at: expiresAt }) };
      const made = await api.json<IssuedApiTokenDto>(PATH, { method: 'POST', json });
      await queryClient.invalidateQueries();
      openDialog((close) => <MadeTokenDialog made={made} onClose={close} />);
    },
  });
}

function revoke({ id, name }: ApiTokenDto): void {
  confirm({
    title: 'Revoke this token?',
    text: `Programs that use ${quoted(name)} are refused from now on. This cannot be undone.`,
    action: 'Revoke',
    isDangerous: true,
    run: () => sendChange(`${PATH}${id}/`, { method: 'DELETE' }, 'The token is revoked.'),
  });
}
