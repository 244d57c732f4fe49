import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import type { ReactNode } from 'react';
import { FIELD, type Field, FIELDS } from '../api/posts.js';
import type { CsvRow } from '../csv/csv-reader.js';
import { type Column, DataTable } from '../shell/list/data-table.js';
import { t } from '../texts/texts.js';
import { momentText } from '../time/dates.js';
import { timeZones, useTimeZone } from '../time/time-zone.js';
import { type CsvFormat, type Delimiter, DELIMITERS, type Encoding, ENCODINGS } from './csv-file.js';
import type { CsvImport } from './csv-posts.js';
import { DATE_ORDERS, type DateOrder, readDate } from './dates.js';

const DELIMITER_NAMES = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const;

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
export function CsvSettings({
  csv,
  columns,
  isIncomplete,
  onChange,
  onChangeFormat,
}: CsvSettingsProps): ReactNode {
  const { delimiter, encoding, hasHeader, mapping, undoesApostrophes, dates } = csv;
  const isTitleMissing = isIncomplete && mapping.title === undefined;
  const isOrderMissing = isIncomplete && dates.order === undefined;
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
      {mapping.pub_date !== undefined && (
        <Box sx={GRID}>
          <TextField
            select
            label={t('importing.dateOrder')}
            value={dates.order ?? ''}
            onChange={({ target }) =>
              onChange({ ...csv, dates: { ...dates, order: target.value as DateOrder } })
            }
            required
            error={isOrderMissing}
            helperText={dates.order === undefined && t('importing.dateOrderUnknown')}
            slotProps={{ select: { displayEmpty: true } }}
          >
            <MenuItem value="" disabled>
              {t('importing.dateOrders.unknown')}
            </MenuItem>
            {DATE_ORDERS.map((order) => (
              <MenuItem key={order} value={order}>
                {t(`importing.dateOrders.${order}`)}
              </MenuItem>
            ))}
          </TextField>
          <TextField
            select
            label={t('importing.dateZone')}
            value={dates.zone}
            onChange={({ target }) => onChange({ ...csv, dates: { ...dates, zone: target.value } })}
            slotProps={{ select: { native: true } }}
          >
            {timeZones().map((zone) => (
              <option key={zone} value={zone}>
                {zone}
              </option>
            ))}
          </TextField>
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
    label: t(`fields.name.${field}`),
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
