import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { type ReactNode, useState } from 'react';
import { exactText, momentText } from '../../time/dates.js';
import { clockChange, fromInput, isStorable, toInput, zoneOf } from '../../time/input.js';
import { useTimeZone } from '../../time/time-zone.js';
import type { FieldProps } from './post-form.js';

/**
 * Date and time in the chosen zone. Below it, the value that the service will store. All digits of the stored date are
 * kept until the user changes the date.
 */
export function PubDateField({ value, original, fault, onChange }: FieldProps): ReactNode {
  const chosen = useTimeZone();
  const zone = original === '' ? chosen : zoneOf(original, chosen);
  // A partly typed date has no value, and must not be overwritten.
  const [seen, setSeen] = useState({ value, zone });
  const [text, setText] = useState(() => toInput(value, zone));
  if (seen.value !== value || seen.zone !== zone) {
    setSeen({ value, zone });
    setText(toInput(value, zone));
  }
  const set = (next: string): void => {
    setSeen({ value: next, zone });
    onChange(next);
  };
  const error = isStorable(value)
    ? fault
    : 'In UTC this date is before the year 1 or after 9999. A date must be in the years 1 to 9999.';
  return (
    <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: { xs: '1fr auto', sm: '440px auto' } }}>
      <TextField
        type="datetime-local"
        label={`Date of publication (${zone})`}
        name="pub_date"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          set(fromInput(target.value, zone, original));
        }}
        error={error !== undefined}
        helperText={
          error ?? <Hint text={text} zone={zone} value={value} original={original} onChoose={set} />
        }
        slotProps={{
          htmlInput: { step: 1, min: '0001-01-01T00:00:00', max: '9999-12-31T23:59:59' },
          formHelperText: { component: 'div' },
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

interface HintProps {
  readonly text: string;
  readonly zone: string;
  readonly value: string;
  readonly original: string;
  readonly onChoose: (at: string) => void;
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
