import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { CursorLinks, useCursorPage } from '../shell/cursor-page.js';
import { DataTable } from '../shell/data-table.js';
import { Empty, Loaded } from '../shell/loaded.js';
import { Page } from '../shell/page.js';
import { useUrlFilters } from '../shell/url-filters.js';
import { startOfDay } from '../texts/dates.js';
import { t } from '../texts/texts.js';
import { type Change, changeColumns } from './change-columns.js';
import { CHANGE_FILTERS, ChangeFilters } from './change-filters.js';

const LIMIT = 50;

/** The log of the whole site. */
export function ChangeList(): ReactNode {
  const { values, isFiltered, apply } = useUrlFilters(CHANGE_FILTERS);
  const columns = changeColumns();
  const page = useCursorPage<Change>('admin/api/changes/', {
    limit: LIMIT,
    action: values.action || undefined,
    author_kind: values.author_kind || undefined,
    author_name: values.author_name || undefined,
    post_id: values.post_id || undefined,
    after: startOfDay(values.after),
    // The day that is named belongs to it.
    before: startOfDay(values.before, 1),
  });
  const clear = (): void => apply(Object.fromEntries(CHANGE_FILTERS.map((name) => [name, ''])));
  return (
    <Page title={t('changes.title')}>
      <Typography sx={{ color: 'text.secondary', mb: 2 }}>{t('changes.about')}</Typography>
      <ChangeFilters
        key={JSON.stringify(values)}
        values={values}
        isFiltered={isFiltered}
        onApply={apply}
        onClear={clear}
      />
      <Loaded query={page}>
        {({ rows, cursors }) =>
          rows.length === 0 ? (
            <Empty action={isFiltered && <Button onClick={clear}>{t('lists.clearFilters')}</Button>}>
              {t(isFiltered ? 'changes.noMatch' : 'changes.empty')}
            </Empty>
          ) : (
            <>
              <DataTable label={t('changes.table')} columns={columns} rows={rows} keyOf={({ id }) => id} />
              <CursorLinks cursors={cursors} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
