import Box from '@mui/material/Box';
import TableSortLabel from '@mui/material/TableSortLabel';
import type { Theme } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { RowCheckbox, type RowSelection, useRanges } from './row-selection.js';

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  readonly render: (row: Row) => ReactNode;
  /** Whether the cell is the row header. */
  readonly isHeader?: boolean;
  /** Whether the cell has no label on a phone, as for buttons. */
  readonly isBareOnPhone?: boolean;
  readonly width?: number | string;
}

/** The current order and how to change it. */
export interface TableSort {
  /** The sortable columns. */
  readonly columns: readonly string[];
  readonly by: string;
  readonly order: 'ASC' | 'DESC';
  readonly onSort: (column: string) => void;
}

export interface DataTableProps<Row> {
  /** The table's name for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly sort?: TableSort | undefined;
  readonly selection?: RowSelection<Row> | undefined;
  /** Whether new rows are loading. */
  readonly isStale?: boolean;
}

/**
 * A table. On a phone its rows are cards with a label before each cell. The cells are plain elements, because hundreds
 * of them render while the user types.
 */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, columns, rows, keyOf, sort, selection, isStale = false } = props;
  const select = useRanges(rows, selection);
  const areAll = selection !== undefined && rows.every(selection.isSelected);
  return (
    <Box
      component="table"
      {...ROLE.table}
      aria-label={label}
      aria-busy={isStale}
      className={selection && 'is-selectable'}
      sx={[TABLE, { opacity: isStale ? 0.6 : 1 }]}
    >
      <thead {...ROLE.rowgroup}>
        <tr {...ROLE.row}>
          {selection && (
            <th {...ROLE.columnheader} className="check">
              <RowCheckbox
                label={selection.labelOfAll}
                isChecked={areAll}
                isSome={!areAll && rows.some(selection.isSelected)}
                onChange={(isOn) => selection.onSelect(rows, isOn)}
              />
            </th>
          )}
          {columns.map((column) => (
            <HeadCell key={column.id} column={column} sort={sort} />
          ))}
        </tr>
      </thead>
      <tbody {...ROLE.rowgroup}>
        {rows.map((row, index) => {
          const isSelected = selection?.isSelected(row) ?? false;
          return (
            <tr key={keyOf(row)} {...ROLE.row} className={isSelected ? 'is-selected' : undefined}>
              {selection && (
                <td {...ROLE.cell} className="check">
                  <RowCheckbox
                    label={selection.labelOf(row)}
                    isChecked={isSelected}
                    onChange={(isOn, isRange) => select(index, isOn, isRange)}
                  />
                </td>
              )}
              {columns.map((column) => (
                <Cell key={column.id} column={column} row={row} />
              ))}
            </tr>
          );
        })}
      </tbody>
    </Box>
  );
}

function HeadCell<Row>({
  column: { id, label, width },
  sort,
}: {
  column: Column<Row>;
  sort: TableSort | undefined;
}): ReactNode {
  const isSorted = sort?.by === id;
  const isAscending = sort?.order === 'ASC';
  return (
    <th
      {...ROLE.columnheader}
      style={{ width }}
      {...(isSorted && { 'aria-sort': isAscending ? 'ascending' : 'descending' })}
    >
      {sort?.columns.includes(id) ? (
        <TableSortLabel
          active={isSorted}
          direction={isSorted && !isAscending ? 'desc' : 'asc'}
          onClick={() => sort.onSort(id)}
        >
          {label}
        </TableSortLabel>
      ) : (
        label
      )}
    </th>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }): ReactNode {
  const { label, render, isHeader = false, isBareOnPhone = isHeader } = column;
  const content = (
    <>
      {!isBareOnPhone && (
        <span aria-hidden className="label">
          {label}
        </span>
      )}
      {render(row)}
    </>
  );
  return isHeader ? <th {...ROLE.rowheader}>{content}</th> : <td {...ROLE.cell}>{content}</td>;
}

/** Explicit roles, because browsers drop them from tables with `display: block`. */
const ROLE = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader', scope: 'col' },
  rowheader: { role: 'rowheader', scope: 'row' },
  cell: { role: 'cell' },
} as const;

/** Below this width a row is a card, so that nothing scrolls sideways. */
const CARDS = (theme: Theme): string => theme.breakpoints.down('md');

const HIDDEN = {
  position: 'absolute',
  clipPath: 'inset(50%)',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
} as const;

const TABLE = (theme: Theme): object => ({
  width: '100%',
  border: `1px solid ${theme.palette.divider}`,
  borderRadius: `${theme.shape.borderRadius}px`,
  borderSpacing: 0,
  backgroundColor: 'background.paper',
  fontSize: '0.875rem',
  '& th, & td': {
    padding: theme.spacing(1.25, 2),
    borderBottom: `1px solid ${theme.palette.divider}`,
    textAlign: 'left',
    verticalAlign: 'top',
    overflowWrap: 'break-word',
  },
  '& tbody tr:last-of-type > *': { borderBottom: 0 },
  '& tbody tr:hover, & tr.is-selected': { backgroundColor: theme.palette.action.hover },
  // User text may have any length; its column keeps a minimum width.
  '& [dir=auto]': { display: 'inline-block', minWidth: '7ch', overflowWrap: 'anywhere' },
  '& time': { whiteSpace: 'nowrap' },
  '& thead th': { color: theme.palette.text.secondary, fontWeight: 600, whiteSpace: 'nowrap' },
  '& tbody th': { fontWeight: 500 },
  '& .more': { display: 'block', fontSize: '0.75rem', color: theme.palette.text.secondary, fontWeight: 400 },
  '& .check': { width: 48, paddingRight: 0 },
  '& .label': {
    display: 'none',
    color: theme.palette.text.secondary,
    fontWeight: 400,
    minWidth: 96,
    flexShrink: 0,
  },
  [CARDS(theme)]: {
    '&, & tbody': { display: 'block' },
    // Hidden visually, available to screen readers.
    '&:not(.is-selectable) thead': HIDDEN,
    '&.is-selectable thead, &.is-selectable thead tr': { display: 'flex', alignItems: 'center' },
    // The sort buttons stay visible.
    '& thead th:not(.check):not(:has([role=button]))': HIDDEN,
    '&.is-selectable thead': { borderBottom: `1px solid ${theme.palette.divider}` },
    '& thead th': { padding: theme.spacing(0.5, 1.5, 0.5, 0), border: 0, width: 'auto !important' },
    '& thead th.check': { paddingLeft: theme.spacing(2), width: 'auto' },
    '& tbody tr': {
      display: 'block',
      position: 'relative',
      padding: theme.spacing(1.25, 2),
      borderBottom: `1px solid ${theme.palette.divider}`,
    },
    '&.is-selectable tbody tr': { paddingLeft: theme.spacing(6) },
    '& tbody .check': { position: 'absolute', left: theme.spacing(2), top: theme.spacing(1.25) },
    '& tbody tr:last-of-type': { borderBottom: 0 },
    '& .label': { display: 'inline-block' },
    '& tbody th, & tbody td': {
      display: 'flex',
      gap: theme.spacing(1),
      padding: theme.spacing(0.4, 0),
      borderBottom: 0,
    },
  },
});
