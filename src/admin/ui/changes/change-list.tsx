import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { failureText } from '../shell/failure.js';
import { ExportIcon } from '../shell/icons.js';
import type { FilterField } from '../shell/list/filters.js';
import { List } from '../shell/list/list.js';
import { useListPage } from '../shell/list/list-page.js';
import { useUrlFilters } from '../shell/list/url-filters.js';
import { notify } from '../shell/notices.js';
import { Page } from '../shell/page.js';
import { t } from '../texts/texts.js';
import { startOfDay } from '../time/input.js';
import { useTimeZone } from '../time/time-zone.js';
import { ACTIONS, AUTHOR_KINDS, type Change, CHANGES_PATH, exportChanges } from './change.js';
import { changeColumns } from './change-columns.js';

const LIMIT = 50;

const FIELDS = [
  {
    name: 'action',
    kind: 'choice',
    label: t('changes.action'),
    options: Object.fromEntries(ACTIONS.map((action) => [action, t(`lists.action.${action}`)])),
  },
  {
    name: 'author_kind',
    kind: 'choice',
    label: t('changes.kind'),
    options: Object.fromEntries(AUTHOR_KINDS.map((kind) => [kind, t(`changes.kinds.${kind}`)])),
  },
  { name: 'author_name', kind: 'text', label: t('changes.name') },
  { name: 'post_id', kind: 'text', label: t('changes.post') },
  { name: 'after', kind: 'day', label: t('lists.from') },
  { name: 'before', kind: 'day', label: t('lists.to') },
] as const satisfies FilterField<string>[];

/** The change log of the whole site. */
export function ChangeList(): ReactNode {
  const zone = useTimeZone();
  const filters = useUrlFilters(FIELDS.map(({ name }) => name));
  const { action, author_kind, author_name, post_id, after, before } = filters.values;
  const filter = {
    action: action || undefined,
    author_kind: author_kind || undefined,
    author_name: author_name || undefined,
    post_id: post_id.replace('#', '') || undefined,
    after: startOfDay(after, zone),
    // The chosen end day is included.
    before: startOfDay(before, zone, 1),
  };
  const page = useListPage<Change>(CHANGES_PATH, { ...filter, limit: LIMIT });
  return (
    <Page title={t('changes.title')} actions={<ExportButton filter={filter} />}>
      <Typography sx={ABOUT}>{t('changes.about')}</Typography>
      <List
        label={t('changes.table')}
        query={page}
        fields={FIELDS}
        filters={filters}
        empty={t('changes.empty')}
        columns={changeColumns()}
        keyOf={({ id }) => id}
        paging={{ limit: LIMIT }}
      />
    </Page>
  );
}

/** The style of a list's description. A phone has no room for it above the first row. */
export const ABOUT = { color: 'text.secondary', mb: 2, display: { xs: 'none', sm: 'block' } } as const;

/** Exports all entries that match the filters, as CSV. */
function ExportButton({ filter }: { filter: Parameters<typeof exportChanges>[0] }): ReactNode {
  const [isRunning, setRunning] = useState(false);
  const run = async (): Promise<void> => {
    setRunning(true);
    try {
      if (await exportChanges(filter)) notify(t('changes.exported'));
    } catch (error) {
      notify(failureText(error), { type: 'error' });
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button startIcon={<ExportIcon />} loading={isRunning} onClick={() => void run()}>
      {t('changes.export')}
    </Button>
  );
}
