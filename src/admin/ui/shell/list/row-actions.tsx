import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';

/** The buttons at the end of a row, aligned with the text of other cells. */
export function RowActions({ children }: { children: ReactNode }): ReactNode {
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 0.5, mx: -0.625, my: -0.5 }}>
      {children}
    </Stack>
  );
}
