import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import type { ReactNode } from 'react';
import { type Field, FIELDS } from '../api/posts.js';
import type { CsvRow } from '../csv/csv-reader.js';
import { type Column, DataTable } from '../shell/data-table.js';
import { t } from '../texts/texts.js';
import { type CsvFormat, type Delimiter, DELIMITERS, type Encoding, ENCODINGS } from './csv-file.js';
import type { CsvImport } from './csv-posts.js';

const DELIMITER_NAMES = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const;

export interface CsvSettingsProps {
  readonly csv: CsvImport;
  /** The cells of the first row. */
  readonly columns: readonly string[];
  readonly isTitleMissing: boolean;
  readonly onChange: (csv: CsvImport) => void;
  /** Another format gives other columns. */
  readonly onChangeFormat: (format: CsvFormat) => void;
}

/** How the table is read, and which column becomes which field. */
export function CsvSettings({
  csv,
  columns,
  isTitleMissing,
  onChange,
  onChangeFormat,
}: CsvSettingsProps): ReactNode {
  const { delimiter, encoding, hasHeader, mapping, undoesApostrophes } = csv;
  const choose = (field: Field, value: string): void => {
    const { [field]: _, ...others } = mapping;
    onChange({ ...csv, mapping: value === '' ? others : { ...others, [field]: Number(value) } });
  };
  return (
    <Stack sx={{ gap: 2 }}>
      <Box sx={GRID}>
        <TextField
          select
          label={t('importing.delimiter')}
          value={delimiter}
          onChange={({ target }) => onChangeFormat({ encoding, delimiter: target.value as Delimiter })}
        >
          {DELIMITERS.map((each) => (
            <MenuItem key={each} value={each}>
              {t(`importing.delimiters.${DELIMITER_NAMES[each]}`)}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          select
          label={t('importing.encoding')}
          value={encoding}
          onChange={({ target }) => onChangeFormat({ delimiter, encoding: target.value as Encoding })}
        >
          {ENCODINGS.map((each) => (
            <MenuItem key={each} value={each}>
              {t(`importing.encodings.${each}`)}
            </MenuItem>
          ))}
        </TextField>
      </Box>
      <div>
        <FormControlLabel
          label={t('importing.hasHeader')}
          control={
            <Checkbox checked={hasHeader} onChange={(_, isOn) => onChange({ ...csv, hasHeader: isOn })} />
          }
        />
        <FormControlLabel
          label={t('importing.undoesApostrophes')}
          control={
            <Checkbox
              checked={undoesApostrophes}
              onChange={(_, isOn) => onChange({ ...csv, undoesApostrophes: isOn })}
            />
          }
        />
      </div>
      <Box sx={GRID}>
        {FIELDS.map((field) => (
          <TextField
            key={field}
            select
            label={t(`fields.name.${field}`)}
            value={mapping[field] ?? ''}
            onChange={({ target }) => choose(field, target.value)}
            required={field === 'title'}
            error={field === 'title' && isTitleMissing}
            helperText={field === 'title' && isTitleMissing && t('importing.titleMissing')}
            slotProps={{ select: { displayEmpty: true } }}
          >
            <MenuItem value="">{t(`fields.noColumn.${field}`)}</MenuItem>
            {columns.map((name, index) => (
              <MenuItem key={index} value={index}>
                {hasHeader && name !== ''
                  ? t('importing.namedColumn', { name: name.slice(0, 60), number: index + 1 })
                  : t('importing.column', { number: index + 1 })}
              </MenuItem>
            ))}
          </TextField>
        ))}
      </Box>
    </Stack>
  );
}

const GRID = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr', md: 'repeat(3, 1fr)' },
};

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
