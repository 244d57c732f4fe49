import { Alert } from '@mui/material';
import type { ReactNode } from 'react';
import type { ImportCheckDto } from '../../imports.controller.js';
import { FIELD, FIELDS } from '../api/posts.js';
import { type Column, DataTable } from '../shell/list/data-table.js';
import { isolated, quoted } from '../texts/texts.js';

type Fault = ImportCheckDto['faults'][number];

/** The most faults that the service reports. */
const MAX_FAULTS = 100;

export function FaultTable({ check: { faults, format } }: { check: ImportCheckDto }): ReactNode {
  return (
    <>
      <Alert severity="error" role="alert">
        {faults.length >= MAX_FAULTS
          ? `Nothing can be imported until the file is fixed. These are the first ${MAX_FAULTS} faults:`
          : 'Nothing can be imported until these faults are fixed in the file:'}
      </Alert>
      <DataTable
        label="Faults of the file"
        columns={format === 'ndjson' ? OF_LINES : OF_ROWS}
        rows={faults}
        keyOf={(fault) => `${fault.row} ${fieldOf(fault)} ${fault.detail}`}
      />
    </>
  );
}

const ROW_NUMBER = { isHeader: true, render: ({ row }: Fault) => row };
const COLUMNS: readonly Column<Fault>[] = [
  { label: 'Title', width: '20%', render: ({ title }) => title && isolated(title) },
  { label: 'Field', render: fieldOf },
  {
    label: 'Fault',
    render: ({ detail, value }) => (value === undefined ? detail : `${quoted(value)}: ${detail}`),
  },
];
const OF_LINES = [{ label: 'Line', ...ROW_NUMBER }, ...COLUMNS];
const OF_ROWS = [{ label: 'Row', ...ROW_NUMBER }, ...COLUMNS];

function fieldOf(fault: Fault): string {
  const field = 'pointer' in fault ? fault.pointer.replace(/^\//, '') : '';
  if (field === '') return 'All';
  const known = FIELDS.find((each) => each === field);
  return known === undefined ? field : FIELD[known].label;
}
