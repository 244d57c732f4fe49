import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../texts/texts.js';

/** The first page of a visit is announced by the browser; those that follow, by the focus on their heading. */
let isFirstPage = true;

export interface PageProps {
  readonly title: string;
  /** What the heading shows, where that is more than text. */
  readonly heading?: ReactNode;
  /** The way back, before the heading. */
  readonly above?: ReactNode;
  /** Buttons that concern the page as a whole. */
  readonly actions?: ReactNode;
  /** `text` keeps lines readable, `wide` is for tables. */
  readonly width?: 'text' | 'wide';
  readonly children: ReactNode;
}

/** What every screen stands in: the one heading, the title of the window, and the focus after coming here. */
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
    document.title = `${title} · ${t('shell.siteTitle')}`;
  }, [title]);

  useEffect(() => {
    if (!isFirstPage) heading.current?.focus({ preventScroll: true });
    isFirstPage = false;
  }, []);

  return (
    <Box
      sx={{
        maxWidth: width === 'text' ? 880 : 1360,
        mx: 'auto',
        px: { xs: 2, sm: 3 },
        pt: { xs: 1.5, sm: 3 },
        pb: { xs: 2, sm: 3 },
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

/** A place to go on from when what had the focus has gone. */
export function focusHeading(options?: FocusOptions): void {
  document.querySelector<HTMLElement>('main h1')?.focus(options);
}

/** Whether there is no room for a table. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 699px)', { noSsr: true });
}
