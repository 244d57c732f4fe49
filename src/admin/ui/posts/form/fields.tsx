import { Box, Button, TextField, type TextFieldProps } from '@mui/material';
import type { ReactNode } from 'react';
import { type Field, FIELD, type FieldDescription } from '../../api/posts.js';
import { exactText } from '../../time/dates.js';
import { DAYS, fromInput, toInput, zoneOf } from '../../time/input.js';
import { useTimeZone } from '../../time/time-zone.js';
import { UnlessLarge } from '../body-text.js';
import { afterEdit, inTextArea } from './line-ends.js';

export interface FieldInputProps {
  readonly field: Field;
  /** Whether the field gets the focus. */
  readonly isFirst: boolean;
  readonly value: string;
  /** The stored value; empty for a new post. */
  readonly original: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

export function FieldInput(props: FieldInputProps): ReactNode {
  const { field, fault, isFirst } = props;
  const { kind, label, isOptional = kind === 'text' } = FIELD[field];
  const Input = INPUTS[kind];
  const input = {
    label,
    name: field,
    required: !isOptional,
    autoFocus: isFirst,
    autoComplete: 'off',
    error: fault !== undefined,
    helperText: fault,
  };
  return <Input {...props} input={input} />;
}

type InputProps = FieldInputProps & { readonly input: TextFieldProps };

const INPUTS: Readonly<Record<FieldDescription['kind'], (props: InputProps) => ReactNode>> = {
  line: LineInput,
  moment: MomentInput,
  text: TextInput,
};

/** A line of text, with its length if that has a limit. */
function LineInput({ field, value, fault, onChange, input }: InputProps): ReactNode {
  const { maxLength = Number.POSITIVE_INFINITY } = FIELD[field];
  const length = Array.from(value).length;
  const count = Number.isFinite(maxLength) && `${length} of ${maxLength} characters`;
  return (
    <TextField
      {...input}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      // A single-line input would drop line breaks, which a title may contain.
      multiline={/[\r\n]/.test(value)}
      error={fault !== undefined || length > maxLength}
      helperText={fault ?? count}
      slotProps={{ htmlInput: { dir: 'auto' } }}
    />
  );
}

/**
 * Date and time in the chosen zone. Below it, the value that the service will store. All digits of the stored date are
 * kept until the user changes the date.
 */
function MomentInput({ field, value, original, fault, onChange, input }: InputProps): ReactNode {
  const chosen = useTimeZone();
  const zone = original === '' ? chosen : zoneOf(original, chosen);
  return (
    <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: { xs: '1fr auto', md: '440px auto' } }}>
      <TextField
        {...input}
        type="datetime-local"
        label={`${FIELD[field].label} (${zone})`}
        // As browsers write it. A half-typed date has no value either, and stays as it is.
        value={toInput(value, zone).replace(/:00$/, '')}
        onChange={({ target }) => onChange(fromInput(target.value, zone, original))}
        helperText={fault ?? momentHelp(value, original)}
        slotProps={{
          htmlInput: { step: 1, min: `${DAYS.min}T00:00:00`, max: `${DAYS.max}T23:59:59` },
        }}
      />
      <Button
        onClick={() => onChange(`${new Date().toISOString().slice(0, 19)}.000Z`)}
        sx={{ height: 40, justifySelf: 'start' }}
      >
        Now
      </Button>
    </Box>
  );
}

/** Says what the service will store. */
function momentHelp(value: string, original: string): string {
  if (value !== '') return `In UTC: ${exactText(value, 'UTC').replace(' UTC', '')}`;
  return original === ''
    ? 'If empty, the date is the time of saving.'
    : 'If empty, the date does not change.';
}

/** Text of any length. */
function TextInput({ value, original, onChange, input }: InputProps): ReactNode {
  return (
    <UnlessLarge body={value}>
      <TextField
        {...input}
        multiline
        value={inTextArea(value)}
        onChange={({ target }) => onChange(afterEdit(original, target.value))}
        slotProps={{
          // An auto-growing input would measure the whole text at each key press.
          input: { inputComponent: 'textarea', sx: { flex: 1, alignItems: 'stretch' } },
          htmlInput: { dir: 'auto', style: { resize: 'vertical', lineHeight: 1.55 } },
        }}
        // The rest of the window, so that the sticky bar at the bottom covers nothing.
        sx={{ flex: '1 0 200px' }}
      />
    </UnlessLarge>
  );
}
