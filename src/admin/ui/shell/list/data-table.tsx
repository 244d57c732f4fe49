import { Box, TableSortLabel } from '@mui/material';
import { type ReactNode, useRef } from 'react';
import { CLASS, TABLE } from './table-style.js';

export interface Column<Row> {
  readonly label: string;
  readonly render: (row: Row) => ReactNode;
  /** Whether the cell is the row header. */
  readonly isHeader?: boolean;
  /** Whether the cell has no label on a phone, as for buttons. */
  readonly isBareOnPhone?: boolean;
  readonly width?: number | string;
  /** The order after the first click on a column that sorts: `-pub_date`. The next click reverses it. */
  readonly ordering?: string;
}

/** The current order and how to change it. */
export interface TableSort {
  readonly ordering: string;
  readonly onSort: (ordering: string) => void;
}

/** The selected rows, and how to change them. */
export interface RowSelection<Row> {
  readonly isSelected: (row: Row) => boolean;
  readonly onSelect: (rows: readonly Row[], isOn: boolean) => void;
  readonly labelOf: (row: Row) => string;
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
  const lastClicked = useRef<Row>(undefined);
  const areAll = selection !== undefined && rows.every(selection.isSelected);
  /** Selects a row, or the range from the row that was last clicked. */
  const select = (index: number, isOn: boolean, isRange: boolean): void => {
    const from = isRange && lastClicked.current !== undefined ? rows.indexOf(lastClicked.current) : -1;
    const [first, last] = from < 0 ? [index, index] : [Math.min(from, index), Math.max(from, index)];
    lastClicked.current = rows[index];
    selection?.onSelect(rows.slice(first, last + 1), isOn);
  };
  return (
    <Box
      component="table"
      {...ROLE.table}
      aria-label={label}
      aria-busy={isStale}
      sx={[TABLE, { opacity: isStale ? 0.6 : 1 }]}
    >
      <thead {...ROLE.rowgroup}>
        <tr {...ROLE.row}>
          {selection && (
            <th {...ROLE.columnheader} className={CLASS.check}>
              <RowCheckbox
                label="Select all posts on this page"
                isChecked={areAll}
                isSome={!areAll && rows.some(selection.isSelected)}
                onChange={(isOn) => selection.onSelect(rows, isOn)}
              />
            </th>
          )}
          {columns.map((column) => (
            <HeadCell key={column.label} column={column} sort={sort} />
          ))}
        </tr>
      </thead>
      <tbody {...ROLE.rowgroup}>
        {rows.map((row, index) => {
          const isSelected = selection?.isSelected(row) ?? false;
          return (
            <tr key={keyOf(row)} {...ROLE.row} className={isSelected ? CLASS.isSelected : undefined}>
              {selection && (
                <td {...ROLE.cell} className={CLASS.check}>
                  <RowCheckbox
                    label={selection.labelOf(row)}
                    isChecked={isSelected}
                    onChange={(isOn, isRange) => select(index, isOn, isRange)}
                  />
                </td>
              )}
              {columns.map((column) => (
                <Cell key={column.label} column={column} row={row} />
              ))}
            </tr>
          );
        })}
      </tbody>
    </Box>
  );
}

/** `-pub_date` for `pub_date`, and the other way round. */
export function reverseOf(ordering: string): string {
  return ordering.startsWith('-') ? ordering.slice(1) : `-${ordering}`;
}

function HeadCell<Row>({ column, sort }: { column: Column<Row>; sort: TableSort | undefined }): ReactNode {
  const { label, width, ordering } = column;
  const isSorted = ordering !== undefined && [ordering, reverseOf(ordering)].includes(sort?.ordering ?? '');
  const isAscending = sort?.ordering.startsWith('-') === false;
  return (
    <th
      {...ROLE.columnheader}
      style={{ width }}
      {...(isSorted && { 'aria-sort': isAscending ? 'ascending' : 'descending' })}
    >
      {sort && ordering ? (
        <TableSortLabel
          active={isSorted}
          direction={isSorted && !isAscending ? 'desc' : 'asc'}
          onClick={() => sort.onSort(isSorted ? reverseOf(sort.ordering) : ordering)}
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
  const shown = render(row);
  const content = (
    <>
      {!isBareOnPhone && (
        <span aria-hidden className={CLASS.label}>
          {label}
        </span>
      )}
      {/* An element of its own: a translator replaces text nodes. */}
      {typeof shown === 'object' ? shown : <span>{shown}</span>}
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

interface RowCheckboxProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly isSome?: boolean;
  /** `isRange`: Shift was held, with the pointer or the space key. */
  readonly onChange: (isOn: boolean, isRange: boolean) => void;
}

/** The label around the checkbox makes the click target large enough for a finger. */
function RowCheckbox({ label, isChecked, isSome = false, onChange }: RowCheckboxProps): ReactNode {
  return (
    <label>
      <input
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        ref={(input) => {
          if (input) input.indeterminate = isSome;
        }}
        onChange={({ target, nativeEvent }) =>
          onChange(target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </label>
  );
}
