import InputAdornment from '@mui/material/InputAdornment';
import TextField, { type TextFieldProps } from '@mui/material/TextField';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { SearchIcon } from '../icons.js';
import { useKey } from '../keys.js';

export interface FilterInputProps {
  readonly label: string;
  /** The value in the URL. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Why the service refuses the value. */
  readonly fault?: string | undefined;
}

/** Avoids a request for each typed letter. */
const PAUSE_MS = 300;

/** The text of an input. It is updated when the URL changes from outside: back, forward, or cleared filters. */
function useTyped(
  value: string,
): [typed: string, setTyped: (text: string) => void, adopt: (text: string) => void] {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    setText(value);
  }
  return [text, setText, setSeen];
}

/** Filters after a pause in typing, and at once on Enter. */
export function TextFilter({
  label,
  value,
  onChange,
  fault,
  inputRef,
  icon,
}: FilterInputProps & Pick<TextFieldProps, 'inputRef'> & { icon?: ReactNode }): ReactNode {
  const [text, setText, adopt] = useTyped(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The timer calls the newest callback: an outdated one would undo a filter that was changed during the pause.
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  }, [onChange]);
  const follow = (wanted: string, pause: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const next = wanted.trim() === '' ? '' : wanted;
      adopt(next);
      latest.current(next);
    }, pause);
  };
  return (
    <TextField
      type="search"
      label={label}
      error={fault !== undefined}
      helperText={fault}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        follow(target.value, PAUSE_MS);
      }}
      onKeyDown={({ key }) => key === 'Enter' && follow(text, 0)}
      slotProps={{ input: { startAdornment: icon }, htmlInput: { dir: 'auto' } }}
      inputRef={inputRef}
    />
  );
}

/** The search of a list, with a keyboard shortcut. */
export function SearchFilter(props: FilterInputProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  useKey('/', 'Search', () => input.current?.focus());
  return (
    <TextFilter
      {...props}
      inputRef={input}
      icon={
        <InputAdornment position="start">
          <SearchIcon fontSize="small" />
        </InputAdornment>
      }
    />
  );
}

/** An earlier year may be incomplete: it is applied only when the input loses focus. */
const EARLIEST_TYPED = '1000-01-01';

/** A day as a filter. While a year is typed, its incomplete values stay in the input and are not applied. */
export function DayFilter({ label, value, onChange, fault }: FilterInputProps): ReactNode {
  const [text, setText, adopt] = useTyped(value);
  const change = (day: string): void => {
    setText(day);
    if (day !== '' && day < EARLIEST_TYPED) return;
    adopt(day);
    onChange(day);
  };
  return (
    <TextField
      type="date"
      label={label}
      error={fault !== undefined}
      helperText={fault}
      value={text}
      onChange={({ target }) => change(target.value)}
      onBlur={() => text !== value && onChange(text)}
      slotProps={{ htmlInput: { min: '0001-01-01', max: '9999-12-31' } }}
    />
  );
}
