import Stack from '@mui/material/Stack';
import Alert from '@mui/material/Alert';
import type { ReactNode } from 'react';
import { FIELDS } from '../api/posts.js';
import { type Column, DataTable } from '../shell/data-table.js';
import { t } from '../texts/texts.js';
import { type ImportFault, MAX_FAULTS } from './csv-posts.js';

/** What is to be mended in the file, line by line. */
export function FaultTable({ faults }: { faults: readonly ImportFault[] }): ReactNode {
  const isCut = faults.length >= MAX_FAULTS;
  return (
    <Stack sx={{ gap: 2 }}>
      <Alert severity="error" role="alert">
        {isCut ? t('importing.faultyMany', { count: faults.length }) : t('importing.faulty')}
      </Alert>
      <DataTable
        label={t('importing.faults')}
        columns={COLUMNS}
        rows={faults}
        keyOf={(fault) => `${fault.line} ${fault.field} ${textOf(fault)}`}
      />
    </Stack>
  );
}

const COLUMNS: Column<ImportFault>[] = [
  {
    id: 'line',
    label: t('importing.line'),
    isHeader: true,
    isBareOnPhone: false,
    render: ({ line }) => line,
  },
  { id: 'field', label: t('importing.field'), render: fieldOf },
  { id: 'fault', label: t('importing.fault'), render: textOf },
];

function textOf({ reason }: ImportFault): string {
  if (reason === 'text-after-quote') return t('importing.textAfterQuote');
  if (reason === 'unclosed-quote') return t('importing.unclosedQuote');
  return 'detail' in reason ? reason.detail : t('importing.tooManyCells', reason);
}

function fieldOf({ field }: ImportFault): string {
  if (field === undefined) return t('importing.wholeLine');
  const known = FIELDS.find((each) => each === field);
  return known === undefined ? field : t(`fields.name.${known}`);
}
