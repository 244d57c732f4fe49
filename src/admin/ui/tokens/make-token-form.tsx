import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Problem } from '../api/problem.js';
import { Failure } from '../shell/failure.js';
import { useTexts } from '../texts/texts.js';

/** Asks for the name of a token and makes it. */
export function MakeTokenForm({ make }: { make: (name: string) => Promise<void> }): ReactNode {
  const t = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isMaking, setMaking] = useState(false);

  const refuse = (text: string): void => {
    setFault(text);
    input.current?.focus();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setFault(undefined);
    setError(undefined);
    if (name.trim() === '') return refuse(t('tokens.nameMissing'));
    setMaking(true);
    try {
      await make(name.trim());
      setName('');
    } catch (failure) {
      const ofName = failure instanceof Problem && failure.errors.find(({ pointer }) => pointer === '/name');
      if (ofName) refuse(ofName.detail);
      else setError(failure);
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
        <Button type="submit" variant="contained" loading={isMaking} sx={{ height: 40, flexShrink: 0 }}>
          {t('tokens.add')}
        </Button>
      </Stack>
      {error !== undefined && <Failure error={error} />}
    </Box>
  );
}
