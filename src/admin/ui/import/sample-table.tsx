import type { ReactNode } from 'react';
import type { CsvRow } from '../csv/csv-reader.js';
import { type Column, DataTable } from '../shell/data-table.js';
import { t } from '../texts/texts.js';
import { FIELDS } from '../api/posts.js';
import type { CsvImport } from './csv-posts.js';

/** As much of a cell as shows what it is. */
const SHOWN_CHARACTERS = 120;

/** What becomes of the first rows. */
export function SampleTable({ csv, rows }: { csv: CsvImport; rows: readonly CsvRow[] }): ReactNode {
  const columns = FIELDS.map((field): Column<CsvRow> => ({
    id: field,
    label: t(`fields.name.${field}`),
    render: ({ cells }) => {
      const column = csv.mapping[field];
      const cell = column === undefined ? '' : (cells[column] ?? '');
      return (
        <span dir="auto">
          {cell.length > SHOWN_CHARACTERS ? `${cell.slice(0, SHOWN_CHARACTERS)}…` : cell}
        </span>
      );
    },
  }));
  return (
    <DataTable
      label={t('importing.sample')}
      columns={[
        {
          id: 'line',
          label: t('importing.line'),
          isHeader: true,
          isBareOnPhone: false,
          render: ({ line }) => line,
        },
        ...columns,
      ]}
      rows={csv.hasHeader ? rows.slice(1) : rows}
      keyOf={({ line }) => line}
    />
  );
}
