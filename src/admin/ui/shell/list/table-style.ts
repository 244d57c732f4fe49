import type { Theme } from '@mui/material';
import { BAR_HEIGHT, HIDDEN } from '../../theme/theme.js';

/** The classes that the style of a table knows. */
export const CLASS = {
  /** A second line of a cell, in small letters. */
  more: 'more',
  /** Text of a user. */
  text: 'user-text',
  /** The date of a row. */
  moment: 'moment',
  /** The name of the column, before each cell of a card. */
  label: 'label',
  check: 'check',
  isSelected: 'is-selected',
} as const;

const { more, text, moment, label, check, isSelected } = CLASS;

/** Looks like a table, and like a list of cards on a phone, so that nothing scrolls sideways. */
export const TABLE = ({ spacing, palette, shape, breakpoints }: Theme): object => ({
  width: '100%',
  border: `1px solid ${palette.divider}`,
  borderRadius: `${shape.borderRadius}px`,
  borderSpacing: 0,
  backgroundColor: 'background.paper',
  fontSize: '0.875rem',
  '& th, & td': {
    padding: spacing(1, 1.5),
    borderBottom: `1px solid ${palette.divider}`,
    textAlign: 'left',
    verticalAlign: 'top',
    overflowWrap: 'break-word',
  },
  '& tbody tr:last-of-type > *': { borderBottom: 0 },
  [`& tbody tr:hover, & tr.${isSelected}`]: { backgroundColor: palette.action.hover },
  // User text may have any length; its column keeps a minimum width.
  [`& .${text}`]: { display: 'inline-block', minWidth: '7ch', overflowWrap: 'anywhere' },
  // A date has at most two lines.
  [`& .${moment}`]: { display: 'inline-block', minWidth: '13ch' },
  '& button': { whiteSpace: 'nowrap' },
  '& thead th': { color: palette.text.secondary, fontWeight: 600, whiteSpace: 'nowrap' },
  '& input[type=checkbox]': { accentColor: palette.primary.main, width: 18, height: 18, margin: 0 },
  '& tbody th': { fontWeight: 500 },
  [`& .${more}`]: { display: 'block', fontSize: '0.75rem', color: palette.text.secondary, fontWeight: 400 },
  // WCAG 2.5.8: a link below the link of the row is 24 px high, and not closer.
  [`& .${more} a`]: { display: 'inline-block', lineHeight: '24px', marginTop: '2px' },
  [`& .${check}`]: { width: 48, paddingRight: 0 },
  [`& .${check} label`]: {
    display: 'inline-grid',
    placeItems: 'center',
    width: 28,
    height: 28,
    margin: '-4px 0 -4px -4px',
  },
  [`& .${label}`]: {
    display: 'none',
    color: palette.text.secondary,
    fontWeight: 400,
    width: 96,
    flexShrink: 0,
  },
  [breakpoints.up('md')]: {
    // Stays below the bar while the rows scroll.
    '& thead th': {
      position: 'sticky',
      top: BAR_HEIGHT,
      zIndex: 1,
      backgroundColor: palette.background.paper,
      '&:first-of-type': { borderTopLeftRadius: shape.borderRadius },
      '&:last-of-type': { borderTopRightRadius: shape.borderRadius },
    },
  },
  [breakpoints.down('md')]: {
    '&, & tbody': { display: 'block' },
    '& thead, & thead tr': { display: 'flex', alignItems: 'center' },
    // The check box and the sort buttons stay visible. Screen readers get all headers.
    '& thead th:not(:has(input, [role=button]))': HIDDEN,
    '& thead:has(input)': { borderBottom: `1px solid ${palette.divider}` },
    '& thead th': { padding: spacing(0.5, 1.5, 0.5, 0), border: 0, width: 'auto !important' },
    [`& thead .${check}`]: { paddingLeft: spacing(2) },
    '& tbody tr': { display: 'block', position: 'relative', padding: spacing(1.25, 2) },
    '& tbody tr + tr': { borderTop: `1px solid ${palette.divider}` },
    [`& tbody tr:has(> .${check})`]: { paddingLeft: spacing(6) },
    [`& tbody .${check}`]: { position: 'absolute', left: spacing(2), top: spacing(1.25) },
    [`& .${label}`]: { display: 'inline-block' },
    '& tbody th, & tbody td': {
      display: 'flex',
      gap: spacing(1),
      padding: spacing(0.4, 0),
      borderBottom: 0,
    },
  },
});
