import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { numberText } from '../../texts/numbers.js';
import { plural } from '../../texts/texts.js';
import { HIDDEN } from '../../theme/theme.js';
import { isNothing, NOTHING, type Selection } from './selection.js';

export interface SelectionBarProps {
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  /** The number of matching posts, if all of them can be selected. */
  readonly count?: number | undefined;
  /** Whether all rows of the page are selected; then the bar offers all pages. */
  readonly isPageSelected: boolean;
  /** The actions on the selected posts. */
  readonly children: ReactNode;
}

/** Shows the number of selected posts and the actions on them. */
export function SelectionBar({
  selection,
  onSelect,
  count,
  isPageSelected,
  children,
}: SelectionBarProps): ReactNode {
  const canSelectAll =
    selection.kind === 'some' && isPageSelected && count !== undefined && count > selection.ids.size;
  const text =
    selection.kind === 'all'
      ? `All ${count === undefined ? '' : numberText(count)} matching posts are selected`
      : plural(selection.ids.size, '1 post selected', `${numberText(selection.ids.size)} posts selected`);
  return (
    <>
      <span role="status" style={HIDDEN}>
        {isNothing(selection) ? '' : text}
      </span>
      {!isNothing(selection) && (
        <Paper square sx={STICKY}>
          <Typography variant="body2" aria-hidden sx={{ fontWeight: 600, mr: 'auto' }}>
            {text}
          </Typography>
          {canSelectAll && (
            <Button size="small" onClick={() => onSelect({ kind: 'all' })}>
              {`Select all ${numberText(count)} matching posts`}
            </Button>
          )}
          <Button size="small" onClick={() => onSelect(NOTHING)}>
            Clear selection
          </Button>
          {children}
        </Paper>
      )}
    </>
  );
}

/** A row of buttons, sticky at the bottom of the window while its container is visible. */
export const STICKY = {
  position: 'sticky',
  bottom: 0,
  zIndex: 2,
  mt: 2,
  mx: { xs: -2, sm: 0 },
  px: 2,
  py: 1,
  display: 'flex',
  flexWrap: 'wrap',
  gap: 1,
  alignItems: 'center',
  borderTop: 1,
  borderColor: 'divider',
  boxShadow: 'none',
} as const;
