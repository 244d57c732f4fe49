import { Box, Button, TextField } from '@mui/material';
import type { ReactNode } from 'react';
import { exactText } from '../../time/dates.js';
import { DAYS, fromInput, toInput, zoneOf } from '../../time/input.js';
import { useTimeZone } from '../../time/time-zone.js';
import type { FieldProps } from './post-form.js';

/**
 * Date and time in the chosen zone. Below it, the value that the service will store. All digits of the stored date are
 * kept until the user changes the date.
 */
export function PubDateField({ value, original, fault, onChange }: FieldProps): ReactNode {
  const chosen = useTimeZone();
  const zone = original === '' ? chosen : zoneOf(original, chosen);
  return (
    <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: { xs: '1fr auto', md: '440px auto' } }}>
      <TextField
        type="datetime-local"
        label={`Date of publication (${zone})`}
        name="pub_date"
        // As browsers write it. A half-typed date has no value either, and stays as it is.
        value={toInput(value, zone).replace(/:00$/, '')}
        onChange={({ target }) => onChange(fromInput(target.value, zone, original))}
        error={fault !== undefined}
        helperText={fault ?? hint(value, original)}
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
function hint(value: string, original: string): string {
  if (value !== '') return `In UTC: ${exactText(value, 'UTC').replace(' UTC', '')}`;
  return original === ''
    ? 'If empty, the date is the time of saving.'
    : 'If empty, the date does not change.';
}
