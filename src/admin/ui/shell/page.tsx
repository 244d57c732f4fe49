import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type ReactNode, useEffect, useRef } from 'react';
import { isolated } from '../texts/texts.js';

/** The browser announces the first page of a visit. Later pages are announced by the focus on their heading. */
let isFirstPage = true;

export interface PageProps {
  readonly title: string;
  /** The heading, if it is more than text. */
  readonly heading?: ReactNode;
  /** The link back, above the heading. */
  readonly above?: ReactNode;
  /** Actions on the whole page. */
  readonly actions?: ReactNode;
  /** `text` limits the line length, `wide` is for tables. */
  readonly width?: 'text' | 'wide';
  readonly children: ReactNode;
}

/** The frame of every screen: the heading, the window title, and the focus after a navigation. */
export function Page({
  title,
  heading: shown,
  above,
  actions,
  width = 'wide',
  children,
}: PageProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    document.title = `${isolated(title)} · Posts administration`;
  }, [title]);

  useEffect(() => {
    if (!isFirstPage) heading.current?.focus({ preventScroll: true });
    isFirstPage = false;
  }, []);

  return (
    <Box
      sx={{
        maxWidth: 1360,
        mx: 'auto',
        px: { xs: 2, sm: 3 },
        pt: { xs: 1.5, sm: 3 },
        pb: { xs: 2, sm: 3 },
        // Text has short lines, and starts where lists start.
        ...(width === 'text' && { '& > *': { maxWidth: 880 } }),
      }}
    >
      {above}
      <Stack
        direction="row"
        sx={{
          flexWrap: 'wrap',
          gap: 1.5,
          alignItems: 'center',
          justifyContent: 'space-between',
          mb: { xs: 1.5, sm: 2.5 },
        }}
      >
        <Typography
          variant="h1"
          ref={heading}
          tabIndex={-1}
          dir="auto"
          sx={{ outline: 'none', overflowWrap: 'anywhere', minWidth: 0 }}
        >
          {shown || title}
        </Typography>
        {actions !== undefined && (
          <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
            {actions}
          </Stack>
        )}
      </Stack>
      {children}
    </Box>
  );
}

/** Moves the focus to the heading, when the focused element was removed. */
export function focusHeading(options?: FocusOptions): void {
  document.querySelector<HTMLElement>('main h1')?.focus(options);
}

/** Whether the window is too narrow for a table. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 699px)', { noSsr: true });
}
