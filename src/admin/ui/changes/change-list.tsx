import type { ReactNode } from 'react';
import type { ChangeDto } from '../../change.dto.js';
import { KEYS } from '../api/keys.js';
import { ListPage } from '../shell/list/list-page.js';
import { useListRows } from '../shell/list/list-rows.js';
import { type FilterField, useUrlFilters } from '../shell/list/url-filters.js';
import { startOfDay } from '../time/input.js';
import { ACTION_NAMES, AUTHOR_KINDS, CHANGE_COLUMNS, CHANGES_PATH } from './change-columns.js';

const LIMIT = 50;

const FIELDS = [
  { name: 'action', kind: 'choice', label: 'Action', options: ACTION_NAMES },
  { name: 'author_kind', kind: 'choice', label: 'By', options: AUTHOR_KINDS },
  { name: 'author_name', kind: 'text', label: 'Author' },
  { name: 'subject', kind: 'text', label: 'About' },
  { name: 'post_id', kind: 'text', label: 'Post id' },
  { name: 'after', kind: 'day', label: 'From' },
  { name: 'before', kind: 'day', label: 'To' },
] as const satisfies FilterField<string>[];

export function ChangeList(): ReactNode {
  const filters = useUrlFilters(FIELDS);
  const { zone } = filters;
  const { post_id, after, before, ...others } = filters.values;
  const filter = {
    ...others,
    post_id: post_id.replace('#', ''),
    after: startOfDay(after, zone),
    // The chosen end day is included.
    before: startOfDay(before, zone, 1),
  };
  const rows = useListRows<ChangeDto>(KEYS.changes, CHANGES_PATH, { ...filter, limit: LIMIT });
  return (
    <ListPage
      title="Change log"
      about="Every change of every post, every log-in, and every change of accounts and tokens."
      label="Changes, newest first"
      query={rows}
      filters={filters}
      empty="Nothing has been changed yet."
      columns={CHANGE_COLUMNS}
      paging={{ limit: LIMIT }}
    />
  );
}
