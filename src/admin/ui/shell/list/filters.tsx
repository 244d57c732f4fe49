import { mdiMagnify } from '@mdi/js';
import { Box, Button, InputAdornment, TextField } from '@mui/material';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { DAYS, PARTIAL_DATE } from '../../time/input.js';
import { useTimeZone } from '../../time/time-zone.js';
import { SelectField } from '../fields.js';
import { Icon } from '../icon.js';
import type { FilterField, UrlFilters } from './url-filters.js';

/** Columns of one width. On a phone there are two, and the first filter takes both. */
const GRID = {
  display: 'grid',
  gridTemplateColumns: { xs: 'repeat(2, 1fr)', md: 'repeat(auto-fill, minmax(200px, 1fr))' },
  gap: 1.5,
  alignItems: 'start',
  '& > :first-of-type': { gridColumn: { xs: '1 / -1', md: 'auto' } },
  mb: 1.5,
} as const;

export interface FiltersProps<Name extends string> {
  readonly filters: UrlFilters<Name>;
  /** The service's faults, by filter. */
  readonly faults: Partial<Record<Name, string>>;
}

/** The filters of a list. Each applies at once. */
export function Filters<Name extends string>({ filters, faults }: FiltersProps<Name>): ReactNode {
  const { fields, values, isFiltered, zone, apply, clear } = filters;
  const isOtherZone = zone !== useTimeZone();
  return (
    <Box role="search" aria-label="Search and filter" sx={GRID}>
      {fields.map(({ name, kind, label: plainLabel, options = {} }) => {
        const label = kind === 'day' && isOtherZone ? `${plainLabel} (${zone})` : plainLabel;
        const value = values[name];
        const onChange = (next: string): void => apply({ [name]: next } as Partial<Record<Name, string>>);
        return kind === 'choice' ? (
          <SelectField
            key={name}
            {...{ label, value, onChange }}
            options={[['', 'Any'], ...Object.entries<string>(options)]}
          />
        ) : (
          <TypedFilter key={name} {...{ kind, label, value, onChange }} fault={faults[name]} />
        );
      })}
      {isFiltered && (
        <Button
          onClick={({ currentTarget }) => {
            // This button goes.
            currentTarget.parentElement?.querySelector('input')?.focus();
            clear();
          }}
          sx={{ height: 40, justifySelf: 'start' }}
        >
          Clear filters
        </Button>
      )}
    </Box>
  );
}

/** The longest search that the API takes. */
const MAX_LENGTH = 200;

/** Avoids a request for each typed letter. */
const PAUSE_MS = 300;

interface TypedFilterProps {
  readonly kind: FilterField<string>['kind'];
  readonly label: string;
  /** The value in the URL. */
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A text or a day. It applies after a pause in typing, and at once on Enter. */
function TypedFilter({ kind, label, value, fault, onChange }: TypedFilterProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  // The URL has changed from outside: back, forward, or cleared filters.
  if (value !== seen) {
    setSeen(value);
    setText(value);
  }
  const [isPartial, setPartial] = useState(false);
  const apply = (typed: string): void => {
    const next = typed.trim() === '' ? '' : typed;
    const isHalfTyped = input.current?.validity.badInput === true;
    setPartial(isHalfTyped);
    // A half-typed day has no value: it is no empty filter.
    if (isHalfTyped || next === value) return;
    setSeen(next);
    onChange(next);
  };
  const applyTyped = useEffectEvent(apply);
  useEffect(() => {
    const timer = setTimeout(() => applyTyped(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const icon = (
    <InputAdornment position="start">
      <Icon path={mdiMagnify} fontSize="small" />
    </InputAdornment>
  );
  return (
    <TextField
      type={kind === 'day' ? 'date' : 'search'}
      label={label}
      error={isPartial || fault !== undefined}
      helperText={isPartial ? PARTIAL_DATE : fault}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onKeyDown={({ key }) => key === 'Enter' && apply(text)}
      onBlur={() => apply(text)}
      inputRef={input}
      slotProps={{
        input: { startAdornment: kind === 'search' && icon },
        htmlInput: kind === 'day' ? DAYS : { dir: 'auto', maxLength: MAX_LENGTH },
      }}
    />
  );
}
