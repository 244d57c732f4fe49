import TextField from '@mui/material/TextField';
import type { ReactNode } from 'react';
import { FIELD } from '../../api/posts.js';
import type { FieldProps } from './post-form.js';

/** A field of one line without an input of its own. */
export function LineField({ field, value, fault, onChange }: FieldProps): ReactNode {
  const { label, isOptional = false } = FIELD[field];
  return (
    <TextField
      label={label}
      name={field}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      required={!isOptional}
      autoComplete="off"
      error={fault !== undefined}
      helperText={fault}
      slotProps={{ htmlInput: { dir: 'auto' } }}
    />
  );
}
