import {
  FormControl,
  FormControlLabel,
  FormHelperText,
  FormLabel,
  Radio,
  RadioGroup,
  TextField,
  type TextFieldProps,
} from '@mui/material';
import { type ReactNode, useId } from 'react';

type Options<Value> = readonly (readonly [value: Value, label: string])[];

export interface SelectFieldProps extends Omit<
  TextFieldProps,
  'select' | 'value' | 'onChange' | 'slotProps'
> {
  readonly value?: string | number;
  readonly options: Options<string | number>;
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

export interface RadioFieldProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: Options<Value>;
  readonly onChange: (value: Value) => void;
  readonly help?: string;
}

/** A choice of which all options are visible. */
export function RadioField<Value extends string>(props: RadioFieldProps<Value>): ReactNode {
  const { label, value, options, onChange, help } = props;
  const id = useId();
  return (
    <FormControl>
      <FormLabel id={id}>{label}</FormLabel>
      <RadioGroup
        aria-labelledby={id}
        aria-describedby={help && `${id}-help`}
        value={value}
        onChange={(_, chosen) => onChange(chosen as Value)}
      >
        {options.map(([each, text]) => (
          <FormControlLabel
            key={each}
            value={each}
            control={<Radio />}
            label={text}
            sx={{ overflowWrap: 'anywhere' }}
          />
        ))}
      </RadioGroup>
      {help && (
        <FormHelperText id={`${id}-help`} sx={{ mx: 0 }}>
          {help}
        </FormHelperText>
      )}
    </FormControl>
  );
}
