import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../texts/texts.js';
import { ACTIONS, AUTHOR_KINDS } from './change-columns.js';

export const CHANGE_FILTERS = ['action', 'author_kind', 'author_name', 'post_id', 'after', 'before'] as const;
type Values = Readonly<Record<(typeof CHANGE_FILTERS)[number], string>>;

export interface ChangeFiltersProps {
  /** Those that hold now. */
  readonly values: Values;
  readonly isFiltered: boolean;
  readonly onApply: (values: Values) => void;
  readonly onClear: () => void;
}

export function ChangeFilters({ values, isFiltered, onApply, onClear }: ChangeFiltersProps): ReactNode {
  const [typed, setTyped] = useState(values);
  const field = (name: keyof Values): object => ({
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [name]: target.value }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onApply(typed);
  };
  return (
    <Box
      component="form"
      role="search"
      aria-label={t('lists.filter')}
      onSubmit={submit}
      sx={{
        display: 'grid',
        gap: 1.5,
        mb: 2.5,
        gridTemplateColumns: 'repeat(auto-fill, minmax(11.5rem, 1fr))',
        alignItems: 'start',
      }}
    >
      <TextField select label={t('changes.action')} {...field('action')} {...SHOWS_EMPTY}>
        <MenuItem value="">{t('changes.anyAction')}</MenuItem>
        {ACTIONS.map((action) => (
          <MenuItem key={action} value={action}>
            {t(`lists.action.${action}`)}
          </MenuItem>
        ))}
      </TextField>
      <TextField select label={t('changes.kind')} {...field('author_kind')} {...SHOWS_EMPTY}>
        <MenuItem value="">{t('changes.anyKind')}</MenuItem>
        {AUTHOR_KINDS.map((kind) => (
          <MenuItem key={kind} value={kind}>
            {t(`changes.kinds.${kind}`)}
          </MenuItem>
        ))}
      </TextField>
      <TextField label={t('changes.name')} {...field('author_name')} />
      <TextField
        label={t('changes.post')}
        {...field('post_id')}
        slotProps={{ htmlInput: { inputMode: 'numeric', pattern: '[1-9][0-9]*' } }}
      />
      <TextField type="date" label={t('changes.after')} {...field('after')} />
      <TextField type="date" label={t('changes.before')} {...field('before')} />
      <Button type="submit" variant="outlined" sx={{ height: 40 }}>
        {t('changes.apply')}
      </Button>
      {isFiltered && (
        <Button onClick={onClear} sx={{ height: 40 }}>
          {t('lists.clearFilters')}
        </Button>
      )}
    </Box>
  );
}

/** "Any" is a choice that is to be read, not an empty field. */
const SHOWS_EMPTY = { slotProps: { select: { displayEmpty: true } } } as const;
