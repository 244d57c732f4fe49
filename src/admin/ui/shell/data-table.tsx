import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { Theme } from '@mui/material/styles';
import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly id: string;
  readonly label: ReactNode;
  readonly render: (row: Row) => ReactNode;
  /** Names the row. */
  readonly isHeader?: boolean;
  /** On a phone the cell stands without its label before it, as buttons do. */
  readonly isBareOnPhone?: boolean;
  readonly align?: 'right';
}

export interface DataTableProps<Row> {
  /** What the table is, for those who do not see what is around it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
}

/** Below this width a row is a card, so that nothing has to be scrolled sideways. */
const CARDS = (theme: Theme): string => theme.breakpoints.down('md');

/**
 * A table; on a phone its rows are cards with a label before each cell. The roles are written out because browsers
 * forget them for a table that is laid out as blocks.
 */
export function DataTable<Row>({ label, columns, rows, keyOf }: DataTableProps<Row>): ReactNode {
  return (
    <TableContainer
      sx={{
        border: 1,
        borderColor: 'divider',
        borderRadius: 2,
        backgroundColor: 'background.paper',
        overflow: 'visible',
      }}
    >
      <Table size="small" role="table" aria-label={label} sx={TABLE}>
        <TableHead role="rowgroup">
          <TableRow role="row">
            {columns.map(({ id, label: heading, align }) => (
              <TableCell key={id} role="columnheader" scope="col" {...(align && { align })}>
                {heading}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody role="rowgroup">
          {rows.map((row) => (
            <TableRow key={keyOf(row)} role="row">
              {columns.map((column) => (
                <Cell key={column.id} column={column} row={row} />
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }): ReactNode {
  const { label, render, isHeader = false, isBareOnPhone = isHeader, align } = column;
  return (
    <TableCell
      {...(isHeader ? { component: 'th', scope: 'row', role: 'rowheader' } : { role: 'cell' })}
      {...(align && { align })}
    >
      {!isBareOnPhone && (
        <Box
          component="span"
          aria-hidden
          sx={(theme) => ({
            display: 'none',
            color: 'text.secondary',
            fontWeight: 400,
            minWidth: 96,
            flexShrink: 0,
            [CARDS(theme)]: { display: 'inline-block' },
          })}
        >
          {label}
        </Box>
      )}
      {render(row)}
    </TableCell>
  );
}

const TABLE = (theme: Theme): object => ({
  '& tbody tr:last-of-type td, & tbody tr:last-of-type th': { borderBottom: 0 },
  '& th, & td': { overflowWrap: 'break-word', borderColor: theme.palette.divider, py: 1 },
  // Words of people may be of any length; a column of them still has room for a short one.
  '& [dir=auto]': { display: 'inline-block', minWidth: '7ch', overflowWrap: 'anywhere' },
  '& thead th': { color: 'text.secondary' },
  '& tbody th': { fontWeight: 500 },
  [CARDS(theme)]: {
    '&, & tbody': { display: 'block' },
    // Out of sight, yet there for screen readers.
    '& thead': {
      position: 'absolute',
      clipPath: 'inset(50%)',
      width: '1px',
      height: '1px',
      overflow: 'hidden',
    },
    '& tbody tr': {
      display: 'block',
      padding: theme.spacing(1.25, 2),
      borderBottom: `1px solid ${theme.palette.divider}`,
    },
    '& tbody tr:last-of-type': { borderBottom: 0 },
    '& tbody th, & tbody td': {
      display: 'flex',
      flexWrap: 'nowrap',
      gap: theme.spacing(1),
      padding: theme.spacing(0.4, 0),
      borderBottom: 0,
      textAlign: 'left',
    },
  },
});
