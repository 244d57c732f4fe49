import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormGroup from '@mui/material/FormGroup';
import Popover from '@mui/material/Popover';
import TextField from '@mui/material/TextField';
import { type ReactNode, useState } from 'react';
import { ViewColumnIcon } from '../../shell/icons.js';
import { useIsPhone } from '../../shell/page.js';
import { t } from '../../texts/texts.js';
import { isDay } from './calendar.js';
import {
  COLUMNS,
  isFiltered,
  type ListState,
  type Ordering,
  orderingOf,
  ORDERINGS,
  sortOf,
} from './list-state.js';
import { SearchBox } from './search-box.js';
import type { useListState } from './use-list-state.js';

export interface ListPartProps {
  readonly state: ListState;
  readonly change: ReturnType<typeof useListState>[1];
}

/** Search, range of dates and columns. */
export function ListFilters({ state, change }: ListPartProps): ReactNode {
  const isPhone = useIsPhone();
  return (
    <Box
      role="search"
      aria-label={t('posts.list.filters')}
      sx={{
        display: 'grid',
        gap: 1.5,
        alignItems: 'center',
        gridTemplateColumns: { xs: '1fr 1fr', md: 'minmax(220px, 1fr) 168px 168px auto auto' },
      }}
    >
      <Box sx={{ gridColumn: { xs: '1 / -1', md: 'auto' } }}>
        <SearchBox value={state.search} onSearch={(search) => change({ search }, { replace: true })} />
      </Box>
      <DayInput label={t('posts.list.from')} value={state.from} onChange={(from) => change({ from })} />
      <DayInput label={t('posts.list.to')} value={state.to} onChange={(to) => change({ to })} />
      {isPhone && <SortSelect state={state} change={change} />}
      <ColumnMenu state={state} change={change} />
      {isFiltered(state) && (
        <Button onClick={() => change({ search: '', from: '', to: '' })}>{t('posts.list.clear')}</Button>
      )}
    </Box>
  );
}

interface DayInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** A year that is being typed passes through years of fewer digits: these stay in the input, and are no filter yet. */
function DayInput({ label, value, onChange }: DayInputProps): ReactNode {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    setText(value);
  }
  const change = (day: string): void => {
    setText(day);
    if (day !== '' && (!isDay(day) || day < EARLIEST_TYPED)) return;
    setSeen(day);
    onChange(day);
  };
  return (
    <TextField
      type="date"
      label={label}
      value={text}
      onChange={({ target }) => change(target.value)}
      onBlur={() => text !== value && isDay(text) && onChange(text)}
      slotProps={{ htmlInput: { min: '0001-01-01', max: '9999-12-31' } }}
    />
  );
}

/** Before it, a year may be the beginning of a longer one: the list follows when the input is left. */
const EARLIEST_TYPED = '1000-01-01';

/** Sorts where there is no column to press on. */
function SortSelect({ state, change }: ListPartProps): ReactNode {
  return (
    <TextField
      select
      label={t('posts.list.sort')}
      value={orderingOf(state)}
      onChange={({ target }) => change({ sort: sortOf(target.value as Ordering) })}
      slotProps={{ select: { native: true } }}
    >
      {ORDERINGS.map((ordering) => (
        <option key={ordering} value={ordering}>
          {t(`posts.list.sorts.${ordering}`)}
        </option>
      ))}
    </TextField>
  );
}

/** Which columns the list has. The title names the row and is always there. */
function ColumnMenu({ state, change }: ListPartProps): ReactNode {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const isOpen = anchor !== undefined;
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<ViewColumnIcon />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        sx={{ height: 40, justifySelf: 'start' }}
      >
        {t('posts.list.columns')}
      </Button>
      <Popover
        open={isOpen}
        anchorEl={anchor ?? null}
        onClose={() => setAnchor(undefined)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{
          paper: { role: 'dialog', 'aria-label': t('posts.list.columns'), sx: { p: 2, mt: 0.5 } },
        }}
      >
        <FormGroup>
          {COLUMNS.map((column) => (
            <FormControlLabel
              key={column}
              disabled={column === 'title'}
              label={t(`posts.list.column.${column}`)}
              control={
                <Checkbox
                  size="small"
                  checked={state.columns.includes(column)}
                  onChange={({ target }) =>
                    change(
                      {
                        columns: COLUMNS.filter((each) =>
                          each === column ? target.checked : state.columns.includes(each),
                        ),
                      },
                      { replace: true },
                    )
                  }
                />
              }
            />
          ))}
        </FormGroup>
      </Popover>
    </>
  );
}
