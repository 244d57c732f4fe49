import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { SearchIcon } from '../../shell/icons.js';
import { t } from '../../texts/texts.js';

/** Long enough not to ask for each letter of a word that is typed. */
const PAUSE_MS = 300;

/** Searches when the person stops typing, and at once with Enter. */
export function SearchBox({
  value,
  onSearch,
}: {
  value: string;
  onSearch: (search: string) => void;
}): ReactNode {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // What is chosen while the pause runs must not be taken back by the list's state at its start.
  const latest = useRef(onSearch);
  useEffect(() => {
    latest.current = onSearch;
  }, [onSearch]);

  // The URL changed by itself: back, forward, or cleared filters.
  if (value !== seen) {
    setSeen(value);
    setText(value);
  }

  const search = (wanted: string, pause: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const next = wanted.trim() === '' ? '' : wanted;
      setSeen(next);
      latest.current(next);
    }, pause);
  };

  return (
    <TextField
      type="search"
      label={t('posts.list.search')}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        search(target.value, PAUSE_MS);
      }}
      onKeyDown={({ key }) => key === 'Enter' && search(text, 0)}
      slotProps={{
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <SearchIcon fontSize="small" />
            </InputAdornment>
          ),
        },
      }}
    />
  );
}
