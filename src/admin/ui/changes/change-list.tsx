import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ChangeDto } from '../../history/change.dto.js';
import { ExportIcon } from '../shell/icons.js';
import { ListPage } from '../shell/list/list-page.js';
import { useListRows } from '../shell/list/list-rows.js';
import { type FilterField, useUrlFilters } from '../shell/list/url-filters.js';
import { notifyFailure } from '../shell/notices.js';
import { t } from '../texts/texts.js';
import { startOfDay } from '../time/input.js';
import { useTimeZone } from '../time/time-zone.js';
import { ACTIONS, AUTHOR_KINDS, CHANGES_PATH, exportChanges } from './change.js';
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
  const filters = useUrlFilters(FIELDS);
  const { post_id, after, before, ...others } = filters.values;
  const filter = {
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== '')),
    post_id: post_id.replace('#', '') || undefined,
    after: startOfDay(after, zone),
    // The chosen end day is included.
    before: startOfDay(before, zone, 1),
  };
  const rows = useListRows<ChangeDto>(CHANGES_PATH, { ...filter, limit: LIMIT });
  const saving = useMutation({ mutationFn: () => notifyFailure(exportChanges(filter)) });
  return (
    <ListPage
      title={t('changes.title')}
      about={t('changes.about')}
      actions={
        <Button startIcon={<ExportIcon />} loading={saving.isPending} onClick={() => saving.mutate()}>
          {t('changes.export')}
        </Button>
      }
      label={t('changes.table')}
      query={rows}
      filters={filters}
      empty={t('changes.empty')}
      columns={changeColumns()}
      paging={{ limit: LIMIT }}
    />
  );
}
