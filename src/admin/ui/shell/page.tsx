import { Box, Stack, type Theme, Typography, useMediaQuery } from '@mui/material';
import { type ReactNode, useEffect, useRef } from 'react';
import { session } from '../api/client.js';
import { isolated } from '../texts/texts.js';

/** The browser announces the first page of a visit. Later pages are announced by the focus on their heading. */
let isFirstPage = true;

/** Call it when a screen without a `Page`, such as the log-in, is the first one of the visit. */
export function endFirstPage(): void {
  isFirstPage = false;
}

export interface PageProps {
  readonly title: string;
  /** Says what the page is for. */
  readonly about?: string | undefined;
  /** The link back, above the heading. */
  readonly above?: ReactNode;
  /** Actions on the whole page. */
  readonly actions?: ReactNode;
  /** `text` limits the line length, `wide` is for tables. */
  readonly width?: 'text' | 'wide';
  /** Whether the page is a column that fills the window. */
  readonly isFilled?: boolean;
  readonly children: ReactNode;
}

/** The frame of every screen: the heading, the window title, and the focus after a navigation. */
export function Page({
  title,
  about,
  above,
  actions,
  width = 'wide',
  isFilled = false,
  children,
}: PageProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);

  useWindowTitle(title);
  useEffect(() => {
    // The log-in above a page keeps the focus.
    const takesFocus = !isFirstPage && session.get()?.token !== undefined;
    // The focus needs the layout, which the next frame makes anyway.
    if (takesFocus) requestAnimationFrame(() => heading.current?.focus({ preventScroll: true }));
    isFirstPage = false;
  }, []);

  return (
    <Box
      sx={{
        width: '100%',
        maxWidth: 1600,
        mx: 'auto',
        p: { xs: 2, md: 3 },
        ...(isFilled && { flex: 1, display: 'flex', flexDirection: 'column' }),
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
          mb: { xs: 1.5, md: 2.5 },
        }}
      >
        <Typography
          variant="h1"
          ref={heading}
          tabIndex={-1}
          dir="auto"
          sx={{ outline: 'none', overflowWrap: 'anywhere', minWidth: 0 }}
        >
          {title}
        </Typography>
        {actions !== undefined && (
          <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
            {actions}
          </Stack>
        )}
      </Stack>
      {about && (
        <Typography color="textSecondary" sx={{ mb: 2 }}>
          {about}
        </Typography>
      )}
      {children}
    </Box>
  );
}

/** Names the window after the page. */
export function useWindowTitle(title: string): void {
  useEffect(() => {
    document.title = `${isolated(title)} · Posts administration`;
  }, [title]);
}

/** Moves the focus to the heading, when the focused element was removed. */
export function focusHeading(options?: FocusOptions): void {
  document.querySelector<HTMLElement>('main h1')?.focus(options);
}

/** Whether the window is too narrow for the menu and a table: the only breakpoint of the site. */
export function useIsPhone(): boolean {
  return useMediaQuery((theme: Theme) => theme.breakpoints.down('md'), { noSsr: true });
}
