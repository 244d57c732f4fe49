import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { type ReactNode, useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import { t } from '../../texts/texts.js';
import type { Content } from '../../api/posts.js';
import { exactUtc, fromInput, localZone, toInput, type Zone } from './local-date-time.js';

export interface PubDateFieldProps {
  readonly control: Control<Content>;
  /** As it is stored: every digit of it is kept until the date is changed. */
  readonly original: string;
}

/** Date and time in the person's zone or in UTC, whichever they choose, with what the service will keep below. */
export function PubDateField({ control, original }: PubDateFieldProps): ReactNode {
  const { field, fieldState } = useController({ control, name: 'pub_date' });
  const [zone, setZone] = useState<Zone>('local');
  // A date that is being typed is none for a while, and must not be written over.
  const [seen, setSeen] = useState({ value: field.value, zone });
  const local = localZone(field.value);
  const [text, setText] = useState(() => toInput(field.value, zone));
  if (seen.value !== field.value || seen.zone !== zone) {
    setSeen({ value: field.value, zone });
    setText(toInput(field.value, zone));
  }
  const hint =
    field.value === ''
      ? t(original === '' ? 'form.emptyCreate' : 'form.emptyEdit')
      : t('form.inUtc', { date: exactUtc(field.value) });

  return (
    <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr auto' } }}>
      <TextField
        type="datetime-local"
        label={t('fields.label.pub_date')}
        name={field.name}
        inputRef={field.ref}
        value={text}
        onBlur={field.onBlur}
        onChange={({ target }) => {
          const value = fromInput(target.value, zone, original);
          setText(target.value);
          setSeen({ value, zone });
          field.onChange(value);
        }}
        error={fieldState.error !== undefined}
        helperText={fieldState.error?.message ?? hint}
        slotProps={{
          htmlInput: { step: 1, min: '0001-01-01T00:00:00', max: '9999-12-31T23:59:59' },
        }}
      />
      <TextField
        select
        label={t('form.zone')}
        value={zone}
        onChange={({ target }) => setZone(target.value as Zone)}
        slotProps={{ select: { native: true } }}
      >
        <option value="local">{local}</option>
        {local !== 'UTC' && <option value="utc">{t('form.utc')}</option>}
      </TextField>
      <Button
        onClick={() => field.onChange(`${new Date().toISOString().slice(0, 19)}.000Z`)}
        sx={{ height: 40, justifySelf: 'start' }}
      >
        {t('form.now')}
      </Button>
    </Box>
  );
}
