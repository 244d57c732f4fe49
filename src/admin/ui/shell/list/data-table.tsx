import {
  Paper,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  TableSortLabel,
} from '@mui/material';
import { memo, type ReactNode, useRef } from 'react';
import { BAR_HEIGHT, LOW_WINDOW } from '../../theme/theme.js';
import { useStable } from '../use-stable.js';
import { useSlices } from './use-slices.js';

export interface Column<Row> {
  readonly label: string;
  /** @param deselect for an action that removes the row from the list */
  readonly render: (row: Row, deselect: () => void) => ReactNode;
  /** Whether the cell is the row header. */
  readonly isHeader?: boolean;
  readonly width?: number | string;
  /** Whether it has nothing but buttons, which are not printed. */
  readonly hasOnlyButtons?: boolean;
  /** Whether it is left out where the menu beside the page leaves no room for it. */
  readonly isOptional?: boolean;
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
  /** The same ones in every render: a row is rendered again only when it, its selection or the columns are others. */
  readonly columns: readonly Column<Row>[];
  /** Whether the columns have the widths that they name. Browsers take half the time to lay out hundreds of rows. */
  readonly hasFixedWidths?: boolean | undefined;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly sort?: TableSort | undefined;
  readonly selection?: RowSelection<Row> | undefined;
  /** Whether new rows are loading. */
  readonly isStale?: boolean;
}

/** A table. On a phone it scrolls sideways. The rows are plain elements, because hundreds of them render at a click. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, columns, hasFixedWidths = false, rows, keyOf, sort, selection, isStale = false } = props;
  const lastClicked = useRef<Row>(undefined);
  const { shown, container } = useSlices(rows, keyOf);
  const areAll = selection !== undefined && rows.every(selection.isSelected);
  /** Selects a row, or the range from the row that was last clicked. */
  const select = useStable((row: Row, isOn: boolean, isRange: boolean): void => {
    const index = rows.indexOf(row);
    const from = isRange && lastClicked.current !== undefined ? rows.indexOf(lastClicked.current) : -1;
    const [first, last] = from < 0 ? [index, index] : [Math.min(from, index), Math.max(from, index)];
    lastClicked.current = row;
    selection?.onSelect(rows.slice(first, last + 1), isOn);
  });
  return (
    <TableContainer
      ref={container}
      component={Paper}
      variant="outlined"
      sx={{ overflowX: { md: 'visible' }, '@media print': { overflow: 'visible' } }}
    >
      <Table
        size="small"
        stickyHeader
        aria-label={label}
        aria-busy={isStale}
        sx={hasFixedWidths ? FIXED_TABLE : TABLE}
        // Not in `sx`, whose other class would have the styles of all cells worked out again.
        style={{ opacity: isStale ? 0.6 : 1 }}
      >
        <TableHead>
          <TableRow>
            {selection && (
              <TableCell style={{ width: CHECKBOX_WIDTH }} className={CLASS.screen}>
                <RowCheckbox
                  label="Select all posts on this page"
                  isChecked={areAll}
                  isSome={!areAll && rows.some(selection.isSelected)}
                  onChange={(isOn) => selection.onSelect(rows, isOn)}
                />
              </TableCell>
            )}
            {columns.map((column) => (
              <HeadCell key={column.label} column={column} sort={sort} />
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {shown.map((row) => (
            <BodyRow
              key={keyOf(row)}
              row={row}
              columns={columns}
              selectLabel={selection?.labelOf(row)}
              isSelected={selection?.isSelected(row) ?? false}
              onSelect={select}
            />
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

interface BodyRowProps<Row> extends CellsProps<Row> {
  /** The label of its checkbox, if it has one. */
  readonly selectLabel: string | undefined;
  readonly isSelected: boolean;
}

const BodyRow = memo(PlainBodyRow) as typeof PlainBodyRow;

function PlainBodyRow<Row>(props: BodyRowProps<Row>): ReactNode {
  const { row, columns, selectLabel, isSelected, onSelect } = props;
  return (
    <tr className={isSelected ? CLASS.selected : undefined}>
      {selectLabel !== undefined && (
        <td className={CLASS.screen}>
          <RowCheckbox
            label={selectLabel}
            isChecked={isSelected}
            onChange={(isOn, isRange) => onSelect(row, isOn, isRange)}
          />
        </td>
      )}
      <Cells row={row} columns={columns} onSelect={onSelect} />
    </tr>
  );
}

interface CellsProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly onSelect: (row: Row, isOn: boolean, isRange: boolean) => void;
}

/** The cells of a row, but its checkbox: the only one that is rendered again when hundreds of rows are selected at once. */
const Cells = memo(PlainCells) as typeof PlainCells;

function PlainCells<Row>({ row, columns, onSelect }: CellsProps<Row>): ReactNode {
  return columns.map((column) => {
    const { label, isHeader, render } = column;
    const shown = render(row, () => onSelect(row, false, false));
    const Cell = isHeader ? 'th' : 'td';
    return (
      <Cell key={label} scope={isHeader ? 'row' : undefined} className={classOf(column)}>
        {/* An element of its own: a translator replaces text nodes. */}
        {typeof shown === 'object' ? shown : <span>{shown}</span>}
      </Cell>
    );
  });
}

function classOf<Row>({ hasOnlyButtons, isOptional }: Column<Row>): string | undefined {
  if (hasOnlyButtons) return CLASS.screen;
  return isOptional ? CLASS.optional : undefined;
}

/** Classes of rows, and of the content of cells. */
export const CLASS = {
  selected: 'is-selected',
  /** A second line of a cell, in small letters. */
  more: 'more',
  /** Text of a user, of any length. */
  text: 'user-text',
  /** A link that names the row, in at most three lines. */
  title: 'row-title',
  /** The beginning of a long text, in two lines: their place is there before the text. */
  excerpt: 'excerpt',
  /** The button that opens the menu of a row. */
  menu: 'row-menu',
  /** A cell that is not printed. */
  screen: 'on-screen',
  /** A cell that is left out where there is no room for it. */
  optional: 'optional',
} as const;

/** The box, the larger target around it, and the padding of a cell. */
const CHECKBOX_WIDTH = 60;

const TABLE = {
  minWidth: { xs: 680, md: 0 },
  '& tbody': { typography: 'body2' },
  '& tbody td, & tbody th': {
    padding: { xs: '6px 8px', md: '6px 16px' },
    borderTop: 1,
    borderColor: 'divider',
    textAlign: 'left',
    verticalAlign: 'top',
    fontWeight: 400,
    overflowWrap: 'break-word',
  },
  [`& tbody tr:hover, & .${CLASS.selected}`]: { backgroundColor: 'action.hover' },
  // Where the table does not scroll sideways, it stays below the bar while the rows scroll.
  '& thead th': {
    px: { xs: 1, md: 2 },
    top: { xs: 0, md: BAR_HEIGHT },
    [LOW_WINDOW]: { position: 'static' },
    backgroundColor: 'background.paper',
    color: 'text.secondary',
    whiteSpace: 'nowrap',
    borderRadius: 1,
    borderBottom: 0,
  },
  '& label': { display: 'block', width: 'fit-content', padding: 0.625 },
  '& input': {
    display: 'block',
    width: 18,
    height: 18,
    m: 0,
    color: 'primary.main',
    accentColor: 'currentcolor',
  },
  [`& .${CLASS.text}`]: {
    display: 'inline-block',
    minWidth: { xs: '16ch', md: '7ch' },
    overflowWrap: 'anywhere',
  },
  [`& .${CLASS.title}, & .${CLASS.excerpt}`]: {
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    overflow: 'hidden',
    overflowWrap: 'anywhere',
  },
  [`& .${CLASS.title}`]: {
    WebkitLineClamp: '3',
    color: 'primary.main',
    textDecoration: 'none',
    '&:hover': { textDecoration: 'underline' },
  },
  // Only those in view are laid out: all have the same height.
  [`& .${CLASS.excerpt}`]: {
    WebkitLineClamp: '2',
    height: '2lh',
    color: 'text.secondary',
    contentVisibility: 'auto',
  },
  [`& .${CLASS.menu}`]: {
    display: 'grid',
    placeItems: 'center',
    width: 32,
    height: 32,
    my: '-4px',
    p: 0,
    border: 0,
    borderRadius: 1,
    color: 'text.secondary',
    backgroundColor: 'transparent',
    cursor: 'pointer',
    '&:hover': { color: 'text.primary', backgroundColor: 'action.hover' },
  },
  [`& .${CLASS.optional}`]: {
    '@media screen and (min-width: 900px) and (max-width: 1100px)': { display: 'none' },
  },
  // A date has at most two lines.
  '& time': { display: 'inline-block', minWidth: '13ch' },
  [`& .${CLASS.more}`]: { display: 'block', fontSize: '0.75rem', color: 'text.secondary' },
  // Paper is narrow, and does not scroll.
  '@media print': {
    minWidth: 0,
    [`& .${CLASS.screen}`]: { display: 'none' },
    '& thead th': { width: 'auto !important', whiteSpace: 'normal' },
    '& tbody td, & tbody th, & thead th': { px: 1 },
  },
  // WCAG 2.5.8: a link below the link of the row is 24 px high, and not closer.
  [`& .${CLASS.more} a`]: { display: 'inline-block', lineHeight: '24px', marginTop: '2px' },
} as const;

const FIXED_TABLE = {
  ...TABLE,
  minWidth: { xs: 760, md: 0 },
  tableLayout: 'fixed',
  '@media print': { ...TABLE['@media print'], tableLayout: 'auto' },
} as const;

/** `-pub_date` for `pub_date`, and the other way round. */
function reverseOf(ordering: string): string {
  return ordering.startsWith('-') ? ordering.slice(1) : `-${ordering}`;
}

function HeadCell<Row>({ column, sort }: { column: Column<Row>; sort: TableSort | undefined }): ReactNode {
  const { label, width, ordering } = column;
  if (!sort || ordering === undefined) {
    return (
      <TableCell style={{ width }} className={classOf(column)}>
        {label}
      </TableCell>
    );
  }
  const isSorted = [ordering, reverseOf(ordering)].includes(sort.ordering);
  const direction = isSorted && sort.ordering.startsWith('-') ? 'desc' : 'asc';
  return (
    <TableCell style={{ width }} sortDirection={isSorted && direction}>
      <TableSortLabel
        active={isSorted}
        direction={direction}
        onClick={() => sort.onSort(isSorted ? reverseOf(sort.ordering) : ordering)}
      >
        {label}
      </TableSortLabel>
    </TableCell>
  );
}

interface RowCheckboxProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly isSome?: boolean;
  /** `isRange`: Shift was held, with the pointer or the space key. */
  readonly onChange: (isOn: boolean, isRange: boolean) => void;
}

/** The browser's own checkbox, because hundreds of them render at a click. The label around it is a larger target. */
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
