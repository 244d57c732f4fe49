import Checkbox from '@mui/material/Checkbox';
import Paper from '@mui/material/Paper';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TableSortLabel from '@mui/material/TableSortLabel';
import type { ReactNode } from 'react';
import type { PostRow } from '../../api/posts.js';
import { useIsPhone } from '../../shell/page.js';
import { t } from '../../texts/texts.js';
import type { ListPartProps } from './list-filters.js';
import type { Column, SortField } from './list-state.js';
import { CELL_WIDTHS, PostTableRow } from './post-table-row.js';
import { isSelected, type Selection, withRows } from './selection.js';

export interface PostTableProps extends ListPartProps {
  readonly rows: readonly PostRow[];
  readonly excerpts: ReadonlyMap<number, string> | undefined;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  /** Whether these rows are about to be replaced. */
  readonly isStale: boolean;
}

/** The rows. On a phone there is one column, which has all that is shown of a post. */
export function PostTable(props: PostTableProps): ReactNode {
  const { state, change, rows, excerpts, selection, onSelect, isStale } = props;
  const isPhone = useIsPhone();
  const ids = rows.map(({ id }) => id);
  const selectedHere = ids.filter((id) => isSelected(selection, id)).length;
  const columns = isPhone ? (['title'] as const) : state.columns;

  return (
    <Paper variant="outlined" sx={{ overflow: 'hidden', opacity: isStale ? 0.6 : 1 }}>
      <Table
        size="small"
        aria-label={t('posts.list.table')}
        aria-busy={isStale}
        sx={{ tableLayout: 'fixed', '& tbody tr:last-of-type > *': { borderBottom: 0 } }}
      >
        <TableHead>
          <TableRow>
            <TableCell padding="checkbox" sx={{ width: 52 }}>
              <Checkbox
                size="small"
                checked={ids.length > 0 && selectedHere === ids.length}
                indeterminate={selectedHere > 0 && selectedHere < ids.length}
                onChange={({ target }) => onSelect(withRows(selection, ids, target.checked, ids))}
                slotProps={{ input: { 'aria-label': t('posts.selection.page') } }}
              />
            </TableCell>
            {columns.map((column) => (
              <HeadCell key={column} column={column} state={state} change={change} isOnly={isPhone} />
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <PostTableRow
              key={row.id}
              row={row}
              columns={columns}
              shown={state.columns}
              excerpt={excerpts?.get(row.id)}
              isSelected={isSelected(selection, row.id)}
              onSelect={(isOn) => onSelect(withRows(selection, [row.id], isOn, ids))}
            />
          ))}
        </TableBody>
      </Table>
    </Paper>
  );
}

function HeadCell({
  column,
  state,
  change,
  isOnly,
}: ListPartProps & { column: Column; isOnly: boolean }): ReactNode {
  const label = t(`posts.list.column.${column}`);
  const width = isOnly ? 'auto' : CELL_WIDTHS[column];
  if (column === 'excerpt') return <TableCell sx={{ width }}>{label}</TableCell>;
  const { field, order } = state.sort;
  const isSorted = field === column;
  return (
    <TableCell
      sx={{ width }}
      {...(isSorted && { 'aria-sort': order === 'ASC' ? 'ascending' : 'descending' })}
    >
      <TableSortLabel
        active={isSorted}
        direction={isSorted && order === 'DESC' ? 'desc' : 'asc'}
        onClick={() =>
          change({ sort: { field: column, order: nextOrder(column, isSorted ? order : undefined) } })
        }
      >
        {label}
      </TableSortLabel>
    </TableCell>
  );
}

/** Dates begin with the newest, titles with A; a second press turns the order round. */
function nextOrder(field: SortField, current: 'ASC' | 'DESC' | undefined): 'ASC' | 'DESC' {
  if (current !== undefined) return current === 'ASC' ? 'DESC' : 'ASC';
  return field === 'title' ? 'ASC' : 'DESC';
}
