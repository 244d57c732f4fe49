import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { type ReactNode, useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import type { Content } from '../../api/posts.js';
import { exactText, momentText } from '../../time/dates.js';
import { clockChange, fromInput, isStorable, toInput, zoneOf } from '../../time/input.js';
import { useTimeZone } from '../../time/time-zone.js';

export interface PubDateFieldProps {
  readonly control: Control<Content>;
  /** The stored date. All of its digits are kept until the user changes the date. */
  readonly original: string;
}

/** Date and time in the chosen zone. Below it, the value that the service will store. */
export function PubDateField({ control, original }: PubDateFieldProps): ReactNode {
  const { field, fieldState } = useController({
    control,
    name: 'pub_date',
    rules: {
      validate: (value) =>
        isStorable(value) ||
        'In UTC this date is before the year 1 or after 9999. A date must be in the years 1 to 9999.',
    },
  });
  const chosen = useTimeZone();
  const zone = original === '' ? chosen : zoneOf(original, chosen);
  // A partly typed date has no value, and must not be overwritten.
  const [seen, setSeen] = useState({ value: field.value, zone });
  const [text, setText] = useState(() => toInput(field.value, zone));
  if (seen.value !== field.value || seen.zone !== zone) {
    setSeen({ value: field.value, zone });
    setText(toInput(field.value, zone));
  }
  const set = (value: string): void => {
    setSeen({ value, zone });
    field.onChange(value);
  };
  const error = isStorable(field.value)
    ? fieldState.error?.message
    : 'In UTC this date is before the year 1 or after 9999. A date must be in the years 1 to 9999.';
  return (
    <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: { xs: '1fr auto', sm: '440px auto' } }}>
      <TextField
        type="datetime-local"
        label={`Date of publication (${zone})`}
        name={field.name}
        inputRef={field.ref}
        value={text}
        onBlur={field.onBlur}
        onChange={({ target }) => {
          setText(target.value);
          set(fromInput(target.value, zone, original));
        }}
        error={error !== undefined}
        helperText={
          error ?? <Hint text={text} zone={zone} value={field.value} original={original} onChoose={set} />
        }
        slotProps={{
          htmlInput: { step: 1, min: '0001-01-01T00:00:00', max: '9999-12-31T23:59:59' },
          formHelperText: { component: 'div' },
        }}
      />
      <Button
        onClick={() => field.onChange(`${new Date().toISOString().slice(0, 19)}.000Z`)}
        sx={{ height: 40, justifySelf: 'start' }}
      >
        Now
      </Button>
    </Box>
  );
}

interface HintProps {
  readonly text: string;
  readonly zone: string;
  readonly value: string;
  readonly original: string;
  readonly onChoose: (value: string) => void;
}

/** Shows the date that the service will store, and whether the zone's clocks change at that time. */
function Hint({ text, zone, value, original, onChoose }: HintProps): ReactNode {
  if (value === '')
    return original === ''
      ? 'If empty, the date is the time of saving.'
      : 'If empty, the date does not change.';
  const change = clockChange(text, zone);
  const clock = text.slice(11, 16);
  return (
    <>
      {`In UTC: ${exactText(value, 'UTC').replace(' UTC', '')}`}
      {change?.kind === 'gap' && (
        <Box role="status" className="clock-change">
          {`${clock} does not exist on this day in ${zone}, because the clocks go forward. ${momentText(change.at, zone)} is used.`}
        </Box>
      )}
      {change?.kind === 'twice' && (
        <Box role="status" className="clock-change">
          {`${clock} occurs twice on this day in ${zone}, because the clocks go back. ${momentText(value, zone)} is used.`}{' '}
          {change.at
            .filter((at) => at !== value)
            .slice(0, 1)
            .map((at) => (
              <Button key={at} size="small" onClick={() => onChoose(at)}>
                {`Use ${momentText(at, zone)}`}
              </Button>
            ))}
        </Box>
      )}
    </>
  );
}
