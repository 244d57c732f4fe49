import { type Theme } from '@mui/material';
import { BAR_HEIGHT, HIDDEN } from '../../theme/theme.js';

/** The classes that the style of a table knows. */
export const CLASS = {
  /** A second line of a cell, in small letters. */
  more: 'more',
  /** The name of the column, before each cell of a card. */
  label: 'label',
  check: 'check',
  isSelectable: 'is-selectable',
  isSelected: 'is-selected',
} as const;

/** Below this width a row is a card, so that nothing scrolls sideways. */
const CARDS = (theme: Theme): string => theme.breakpoints.down('md');

/** Looks like a table, and like a list of cards on a phone. */
export const TABLE = (theme: Theme): object => ({
  width: '100%',
  border: `1px solid ${theme.palette.divider}`,
  borderRadius: `${theme.shape.borderRadius}px`,
  borderSpacing: 0,
  backgroundColor: 'background.paper',
  fontSize: '0.875rem',
  '& th, & td': {
    padding: theme.spacing(1, 2),
    borderBottom: `1px solid ${theme.palette.divider}`,
    textAlign: 'left',
    verticalAlign: 'top',
    overflowWrap: 'break-word',
  },
  '& tbody tr:last-of-type > *': { borderBottom: 0 },
  '& tbody tr:hover, & tr.is-selected': { backgroundColor: theme.palette.action.hover },
  // User text may have any length; its column keeps a minimum width.
  '& [dir=auto]': { display: 'inline-block', minWidth: '7ch', overflowWrap: 'anywhere' },
  // On a narrower screen, the table of accounts would be wider than the page.
  [theme.breakpoints.up(1280)]: { '& time:not(.more time)': { whiteSpace: 'nowrap' } },
  '& button': { whiteSpace: 'nowrap' },
  '& li [dir=auto]': { display: 'inline' },
  '& thead th': { color: theme.palette.text.secondary, fontWeight: 600, whiteSpace: 'nowrap' },
  '& input[type=checkbox]': { accentColor: theme.palette.primary.main, width: 18, height: 18, margin: 0 },
  // Stays below the bar while the rows scroll.
  [theme.breakpoints.up('md')]: {
    '& thead th': {
      position: 'sticky',
      top: BAR_HEIGHT,
      zIndex: 1,
      backgroundColor: theme.palette.background.paper,
      '&:first-of-type': { borderTopLeftRadius: theme.shape.borderRadius },
      '&:last-of-type': { borderTopRightRadius: theme.shape.borderRadius },
    },
  },
  '& tbody th': { fontWeight: 500 },
  '& .more': { display: 'block', fontSize: '0.75rem', color: theme.palette.text.secondary, fontWeight: 400 },
  // WCAG 2.5.8: a link below the link of the row is 24 px high, and not closer.
  '& .more a': { display: 'inline-block', lineHeight: '24px', marginTop: 2 },
  '& .check': { width: 48, paddingRight: 0 },
  '& .check label': {
    display: 'inline-grid',
    placeItems: 'center',
    width: 28,
    height: 28,
    margin: '-4px 0 -4px -4px',
  },
  '& .label': {
    display: 'none',
    color: theme.palette.text.secondary,
    fontWeight: 400,
    width: 96,
    flexShrink: 0,
  },
  [CARDS(theme)]: {
    '&, & tbody': { display: 'block' },
    // Hidden visually, available to screen readers.
    '&:not(.is-selectable) thead': HIDDEN,
    '&.is-selectable thead, &.is-selectable thead tr': { display: 'flex', alignItems: 'center' },
    // The sort buttons stay visible.
    '& thead th:not(.check):not(:has([role=button]))': HIDDEN,
    '&.is-selectable thead': { borderBottom: `1px solid ${theme.palette.divider}` },
    '& thead th': { padding: theme.spacing(0.5, 1.5, 0.5, 0), border: 0, width: 'auto !important' },
    '& thead th.check': { paddingLeft: theme.spacing(2), width: 'auto' },
    '& tbody tr': {
      display: 'block',
      position: 'relative',
      padding: theme.spacing(1.25, 2),
      borderBottom: `1px solid ${theme.palette.divider}`,
    },
    '&.is-selectable tbody tr': { paddingLeft: theme.spacing(6) },
    '& tbody .check': { position: 'absolute', left: theme.spacing(2), top: theme.spacing(1.25) },
    '& tbody tr:last-of-type': { borderBottom: 0 },
    '& .label': { display: 'inline-block' },
    '& tbody th, & tbody td': {
      display: 'flex',
      gap: theme.spacing(1),
      padding: theme.spacing(0.4, 0),
      borderBottom: 0,
    },
  },
});
