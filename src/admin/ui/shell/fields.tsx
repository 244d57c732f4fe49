import { TextField, type TextFieldProps } from '@mui/material';
import type { ReactNode } from 'react';

export interface SelectFieldProps extends Omit<
  TextFieldProps,
  'select' | 'value' | 'onChange' | 'slotProps'
> {
  readonly value?: string | number;
  readonly options: readonly (readonly [value: string | number, label: string])[];
  readonly onChange?: (value: string) => void;
}

/** A choice from a list: the browser's own select, which every device shows in its own way. */
export function SelectField({ options, onChange, ...field }: SelectFieldProps): ReactNode {
  return (
    <TextField
      {...field}
      select
      onChange={({ target }) => onChange?.(target.value)}
      slotProps={{ select: { native: true } }}
    >
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </TextField>
  );
}
