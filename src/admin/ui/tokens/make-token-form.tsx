import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Problem } from '../api/problem.js';
import { Failure } from '../shell/failure.js';
import { startOfDay } from '../texts/dates.js';
import { t } from '../texts/texts.js';
import type { NewToken } from './api-token.js';

/** Asks for the name of a token and its last day, and makes it. */
export function MakeTokenForm({ make }: { make: (token: NewToken) => Promise<void> }): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const dayInput = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [lastDay, setLastDay] = useState('');
  const [fault, setFault] = useState<string>();
  const [dayFault, setDayFault] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isMaking, setMaking] = useState(false);

  const refuse = (text: string): void => {
    setFault(text);
    input.current?.focus();
  };
  const refuseDay = (text: string): void => {
    setDayFault(text);
    dayInput.current?.focus();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setFault(undefined);
    setDayFault(undefined);
    setError(undefined);
    if (name.trim() === '') return refuse(t('tokens.nameMissing'));
    // An input that holds half a date has no value.
    if (dayInput.current?.validity.badInput) return refuseDay(t('tokens.dayUnreadable'));
    setMaking(true);
    try {
      const expiresAt = startOfDay(lastDay, 1);
      await make({ name: name.trim(), ...(expiresAt !== undefined && { expires_at: expiresAt }) });
      setName('');
      setLastDay('');
    } catch (failure) {
      const faultAt = (place: string): string | undefined =>
        failure instanceof Problem
          ? failure.errors.find(({ pointer }) => pointer === place)?.detail
          : undefined;
      const [ofName, ofDay] = [faultAt('/name'), faultAt('/expires_at')];
      if (ofDay !== undefined) refuseDay(ofDay);
      if (ofName !== undefined) refuse(ofName);
      if (ofName === undefined && ofDay === undefined) setError(failure);
    } finally {
      setMaking(false);
    }
  };

  return (
    <Box component="form" noValidate onSubmit={(event) => void submit(event)} sx={{ mb: 3 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'start', flexWrap: { xs: 'wrap', sm: 'nowrap' } }}>
        <TextField
          label={t('tokens.name')}
          required
          value={name}
          inputRef={input}
          onChange={({ target }) => setName(target.value)}
          error={fault !== undefined}
          helperText={fault ?? t('tokens.nameHelp')}
          sx={{ maxWidth: 420 }}
        />
        <TextField
          type="date"
          label={t('tokens.lastDay')}
          value={lastDay}
          inputRef={dayInput}
          onChange={({ target }) => setLastDay(target.value)}
          error={dayFault !== undefined}
          helperText={dayFault ?? t('tokens.lastDayHelp')}
          sx={{ maxWidth: { sm: 240 } }}
        />
        <Button type="submit" variant="contained" loading={isMaking} sx={{ height: 40, flexShrink: 0 }}>
          {t('tokens.add')}
        </Button>
      </Stack>
      {error !== undefined && <Failure error={error} />}
    </Box>
  );
}
