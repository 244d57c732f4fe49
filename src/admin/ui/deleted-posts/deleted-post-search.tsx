import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { type ReactNode, useState } from 'react';
import { t } from '../texts/texts.js';

export function DeletedPostSearch({
  value,
  onSearch,
}: {
  value: string;
  onSearch: (value: string) => void;
}): ReactNode {
  const [typed, setTyped] = useState(value);
  return (
    <Stack
      component="form"
      role="search"
      direction="row"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
      sx={{ gap: 1, mb: 2, maxWidth: 480 }}
    >
      <TextField
        type="search"
        label={t('deletedPosts.search')}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" variant="outlined" sx={{ flexShrink: 0 }}>
        {t('deletedPosts.searchButton')}
      </Button>
    </Stack>
  );
}
