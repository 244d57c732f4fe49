import { mdiFilterVariant, mdiMagnify } from '@mdi/js';
import { Box, Button, Chip, InputAdornment, TextField } from '@mui/material';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { isolated } from '../../texts/texts.js';
import { DAYS, PARTIAL_DATE } from '../../time/input.js';
import { SelectField } from '../fields.js';
import { Icon } from '../icon.js';
import { useIsPhone } from '../page.js';
import type { FilterField, UrlFilters } from './url-filters.js';

/** Columns of one width; on a phone, the search beside the button that unfolds the other filters. */
const GRID = {
  display: { xs: 'flex', md: 'grid' },
  flexWrap: 'wrap',
  gridTemplateColumns: 'repeat(auto-fill, minmax(200px, 1fr))',
  gap: 1.5,
  alignItems: 'start',
  '& > .MuiTextField-root': { flex: '1 1 140px' },
  '& > button': { height: 40 },
} as const;

export interface FiltersProps<Name extends string> {
  readonly filters: UrlFilters<Name>;
  /** The service's faults, by filter. */
  readonly faults?: Partial<Record<Name, string>>;
}

/** The filters of a list. Each applies at once. On a phone they are folded, and those that apply are chips. */
export function Filters<Name extends string>(props: FiltersProps<Name>): ReactNode {
  const { filters, faults } = props;
  const { fields, values, isFiltered, apply, clear } = filters;
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  const isFolded = isPhone && !isOpen;
  const shown = fields.filter(({ kind }) => !isFolded || kind === 'search');
  const chosen = fields.filter(({ name, kind }) => kind !== 'search' && values[name] !== '');
  const set = (name: Name, value: string): void => apply({ [name]: value } as Partial<Record<Name, string>>);
  return (
    <Box role="search" aria-label="Search and filter" sx={{ display: 'grid', gap: 1.5, mb: 1.5 }}>
      <Box sx={GRID}>
        {shown.map((field) => {
          const { name, kind, label, options = {} } = field;
          const value = values[name];
          const onChange = (next: string): void => set(name, next);
          return kind === 'choice' ? (
            <SelectField
              key={name}
              {...{ label, value, onChange }}
              options={[['', 'Any'], ...Object.entries<string>(options)]}
            />
          ) : (
            <TypedFilter key={name} {...{ kind, label, value, onChange }} fault={faults?.[name]} />
          );
        })}
        {isPhone && fields.length > 1 && (
          <Button
            variant="outlined"
            startIcon={<Icon path={mdiFilterVariant} />}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <span>{chosen.length > 0 ? `Filters (${chosen.length})` : 'Filters'}</span>
          </Button>
        )}
        {isFiltered && !isFolded && (
          <Button onClick={clear} sx={{ justifySelf: 'start' }}>
            Clear filters
          </Button>
        )}
      </Box>
      {isFolded && chosen.length > 0 && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, alignItems: 'center' }}>
          {chosen.map(({ name, label, options }) => {
            const text = `${label}: ${options?.[values[name]] ?? isolated(values[name])}`;
            return (
              <Chip
                key={name}
                component="button"
                clickable
                label={`${text} ✕`}
                aria-label={`Remove the filter ${text}`}
                onClick={() => set(name, '')}
              />
            );
          })}
        </Box>
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
