import { createTheme, keyframes, type PaletteOptions, type Theme, type ThemeOptions } from '@mui/material';

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
export const MONOSPACE = 'ui-monospace, "SF Mono", "Cascadia Mono", "Liberation Mono", Menlo, monospace';

/** The height of the bar above every page. */
export const BAR_HEIGHT = 56;

/**
 * A window in which bars at its edges would leave no room for the page: a phone on its side, or 400 % zoom, which is 320 × 256
 * on a usual screen (WCAG 1.4.10).
 */
export const LOW_WINDOW = '@media (max-height: 500px)';

/** For text that only screen readers get. */
export const HIDDEN = {
  position: 'absolute',
  clipPath: 'inset(50%)',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  whiteSpace: 'nowrap',
} as const;

/** For what shows that something is loading: for a fast response it would flicker. */
export const APPEAR_LATE = `${keyframes({ from: { visibility: 'hidden' } })} 1ms 20ms both`;

/** For text of users: line breaks are kept, and long words wrap. */
export const PLAIN_TEXT = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;

/** Settings shared by light and dark. All colours below have a contrast of 4.5 or more (WCAG 1.4.3). */
const COMMON: ThemeOptions = {
  shape: { borderRadius: 8 },
  typography: {
    fontFamily: FONT,
    fontSize: 14,
    h1: { fontSize: '1.625rem', lineHeight: 1.25, fontWeight: 650, letterSpacing: '-0.012em' },
    h2: { fontSize: '1.125rem', lineHeight: 1.4, fontWeight: 600 },
    h3: { fontSize: '1rem', lineHeight: 1.4, fontWeight: 600 },
    button: { textTransform: 'none', fontWeight: 550, letterSpacing: 0 },
  },
  components: {
    MuiCssBaseline: {
      styleOverrides: {
        // The focused element must not be under the bar, a table's header or sticky buttons (WCAG 2.4.11).
        html: {
          scrollPaddingTop: 116,
          scrollPaddingBottom: 96,
          [LOW_WINDOW]: { scrollPaddingTop: 16, scrollPaddingBottom: 16 },
        },
        'mark:not([class])': { backgroundColor: '#ffe08a', color: '#1d1e24', borderRadius: 2 },
        // On a phone, browsers zoom into inputs with a smaller font.
        body: { fontSize: '0.9375rem', lineHeight: 1.5 },
        '#announcements': HIDDEN,
        ':focus-visible': { outlineOffset: 2 },
        // Colours that the user forces leave no backgrounds: what they set apart gets a border.
        '@media (forced-colors: active)': {
          '.MuiDialog-paper, .MuiPopover-paper, .MuiAlert-root': { border: '2px solid !important' },
          '.MuiButton-contained': { border: '2px solid !important' },
          'nav .active, tr.is-selected': { outline: '2px solid Highlight', outlineOffset: -2 },
        },
        '@media print': {
          'header, nav, [role=search], [role=group], button, .MuiButton-root, .MuiDrawer-root, .MuiToolbar-root, .MuiLinearProgress-root, [aria-label=Notice]':
            { display: 'none !important' },
          'thead th': { position: 'static !important' },
          // In the history, the colours say what was removed and added.
          '.removed, .added, .removed mark, .added mark': { printColorAdjust: 'exact' },
          // All of a line, also where the paper is narrower than the window was.
          textarea: { fieldSizing: 'content', height: 'auto !important' },
        },
        '@media (prefers-reduced-motion: reduce)': {
          // Except what shows that something is loading: without motion it would look broken.
          '*:not([class*=Progress]), *::before, *::after': {
            animationDuration: '0.01ms !important',
            transitionDuration: '0.01ms !important',
          },
        },
      },
    },
    MuiAppBar: {
      defaultProps: { elevation: 0 },
      styleOverrides: {
        root: ({ theme: { palette } }) => ({
          backgroundColor: palette.background.paper,
          color: palette.text.primary,
          borderBottom: `1px solid ${palette.divider}`,
          [LOW_WINDOW]: { position: 'absolute' },
        }),
      },
    },
    MuiToolbar: {
      defaultProps: { variant: 'dense' },
      styleOverrides: { dense: { minHeight: BAR_HEIGHT } },
    },
    MuiButtonBase: {
      defaultProps: { disableRipple: true },
      styleOverrides: {
        root: { '&.Mui-focusVisible': { outline: '2px solid currentColor', outlineOffset: 2 } },
      },
    },
    // In a dialog, whose text may wrap anywhere, the words of a button stay whole.
    MuiButton: {
      defaultProps: { disableElevation: true },
      styleOverrides: { root: { overflowWrap: 'normal' } },
    },
    MuiTextField: { defaultProps: { variant: 'outlined', size: 'small', fullWidth: true } },
    MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
    MuiInputLabel: { defaultProps: { shrink: true } },
    MuiDialogActions: {
      defaultProps: { disableSpacing: true },
      styleOverrides: { root: { padding: '8px 24px 20px', flexWrap: 'wrap', gap: 8 } },
    },
    MuiOutlinedInput: {
      defaultProps: { notched: true },
      styleOverrides: { root: ({ theme }) => ({ backgroundColor: theme.palette.background.paper }) },
    },
    MuiChip: { defaultProps: { size: 'small', variant: 'outlined' } },
    MuiLink: { defaultProps: { underline: 'hover' } },
  },
};

const LIGHT: PaletteOptions = {
  mode: 'light',
  primary: { main: '#0b6b62', dark: '#084f48', light: '#3d8f86', contrastText: '#ffffff' },
  error: { main: '#b3261e' },
  warning: { main: '#8a5300' },
  success: { main: '#1b6e3c' },
  info: { main: '#22609c' },
  background: { default: '#f6f6f8', paper: '#ffffff' },
  text: { primary: '#1d1e24', secondary: '#565965' },
  divider: '#e1e2e8',
};

const DARK: PaletteOptions = {
  mode: 'dark',
  primary: { main: '#7fd3c7', dark: '#5fbcb0', light: '#abe5dc', contrastText: '#05302b' },
  error: { main: '#ffb4ab', contrastText: '#3f0a06' },
  warning: { main: '#f4bd6a', contrastText: '#382100' },
  success: { main: '#86d7a2', contrastText: '#06301a' },
  info: { main: '#9fcaf7', contrastText: '#062642' },
  background: { default: '#14151a', paper: '#1c1d24' },
  text: { primary: '#e7e8ee', secondary: '#a9acb9' },
  divider: '#33353f',
};

/** Makes the theme. Only the one that is shown is made, because each takes some milliseconds. */
export function themeOf(isDark: boolean): Theme {
  return createTheme({ ...COMMON, palette: isDark ? DARK : LIGHT });
}
