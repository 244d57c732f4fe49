import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { FIELD, type Field, FIELDS } from '../api/posts.js';
import type { CsvRow } from '../csv/csv-reader.js';
import { SelectField } from '../shell/fields.js';
import { type Column, DataTable } from '../shell/list/data-table.js';
import { momentText } from '../time/dates.js';
import { timeZones, useTimeZone } from '../time/time-zone.js';
import {
  type CsvFormat,
  type Delimiter,
  DELIMITERS,
  type Encoding,
  ENCODING_NAMES,
  ENCODINGS,
} from './csv-file.js';
import type { CsvImport } from './csv-posts.js';
import { DATE_ORDERS, type DateOrder, readDate } from './dates.js';

const DELIMITER_NAMES = { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Vertical bar' } as const;

const NO_COLUMN = {
  title: 'Choose a column',
  pub_date: 'None: the time of the import',
  body: 'None: an empty body',
} as const;

const ORDER_NAMES = {
  ymd: 'Year, month, day: 2026-12-31',
  dmy: 'Day, month, year: 31.12.2026',
  mdy: 'Month, day, year: 12/31/2026',
} as const;

export interface CsvSettingsProps {
  readonly csv: CsvImport;
  /** The cells of the first row. */
  readonly columns: readonly string[];
  /** Whether the user started the check before making a required choice. */
  readonly isIncomplete: boolean;
  readonly onChange: (csv: CsvImport) => void;
  /** Called with a new format, which changes the columns. */
  readonly onChangeFormat: (format: CsvFormat) => void;
}

/** The settings of the CSV format and of the columns for each field. */
export function CsvSettings(props: CsvSettingsProps): ReactNode {
  const { csv, columns, isIncomplete, onChange, onChangeFormat } = props;
  const { delimiter, encoding, hasHeader, mapping, undoesApostrophes, dates } = csv;
  const isTitleMissing = isIncomplete && mapping.title === undefined;
  const choose = (field: Field, value: string): void => {
    const { [field]: _, ...others } = mapping;
    onChange({ ...csv, mapping: value === '' ? others : { ...others, [field]: Number(value) } });
  };
  const columnOption = (name: string, index: number): [number, string] => {
    const number = index + 1;
    if (!hasHeader || name === '') return [index, `Column ${number}`];
    return [index, `${name.slice(0, 60)} (column ${number})`];
  };
  return (
    <Stack sx={{ gap: 2 }}>
      <Box sx={GRID}>
        <SelectField
          label="Cells are separated by"
          value={delimiter}
          options={DELIMITERS.map((each) => [each, DELIMITER_NAMES[each]])}
          onChange={(next) => onChangeFormat({ encoding, delimiter: next as Delimiter })}
        />
        <SelectField
          label="Characters are encoded as"
          value={encoding}
          options={ENCODINGS.map((each) => [each, ENCODING_NAMES[each]])}
          onChange={(next) => onChangeFormat({ delimiter, encoding: next as Encoding })}
        />
      </Box>
      <div>
        <FormControlLabel
          label="The first row has the names of the columns"
          control={
            <Checkbox checked={hasHeader} onChange={(_, isOn) => onChange({ ...csv, hasHeader: isOn })} />
          }
        />
        <FormControlLabel
          label="Remove the apostrophe that this site’s export puts before = + - @"
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
          <SelectField
            key={field}
            label={FIELD[field].label}
            value={mapping[field] ?? ''}
            options={[['', NO_COLUMN[field]], ...columns.map(columnOption)]}
            onChange={(column) => choose(field, column)}
            required={field === 'title'}
            error={field === 'title' && isTitleMissing}
            helperText={field === 'title' && isTitleMissing && 'Choose the column that has the titles.'}
          />
        ))}
      </Box>
      {mapping.pub_date !== undefined && (
        <Box sx={GRID}>
          <SelectField
            label="Dates are written"
            value={dates.order ?? ''}
            options={[
              ...(dates.order === undefined ? [['', 'Choose an order'] as const] : []),
              ...DATE_ORDERS.map((order) => [order, ORDER_NAMES[order]] as const),
            ]}
            onChange={(order) => onChange({ ...csv, dates: { ...dates, order: order as DateOrder } })}
            required
            error={isIncomplete && dates.order === undefined}
            helperText={
              dates.order === undefined && 'The dates do not show whether the day or the month comes first.'
            }
          />
          <SelectField
            label="Time zone of dates without one"
            value={dates.zone}
            options={timeZones().map((zone) => [zone, zone])}
            onChange={(zone) => onChange({ ...csv, dates: { ...dates, zone } })}
          />
        </Box>
      )}
    </Stack>
  );
}

const GRID = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr', md: 'repeat(3, 1fr)' },
};

/** The number of characters shown of a cell. */
const SHOWN_CHARACTERS = 120;

/** Previews the posts of the first rows. */
export function SampleTable({ csv, rows }: { csv: CsvImport; rows: readonly CsvRow[] }): ReactNode {
  const zone = useTimeZone();
  const columns = FIELDS.map((field): Column<CsvRow> => ({
    id: field,
    label: FIELD[field].label,
    render: ({ cells }) => {
      const column = csv.mapping[field];
      const cell = column === undefined ? '' : (cells[column] ?? '');
      const date = FIELD[field].kind === 'moment' ? readDate(cell, csv.dates) : undefined;
      if (date !== undefined) return momentText(date, zone);
      return (
        <span dir="auto">
          {cell.length > SHOWN_CHARACTERS ? `${cell.slice(0, SHOWN_CHARACTERS)}…` : cell}
        </span>
      );
    },
  }));
  return (
    <DataTable
      label="The first rows of the file"
      columns={[
        {
          id: 'line',
          label: 'Line',
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
