import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { numberText } from '../../texts/numbers.js';
import { t } from '../../texts/texts.js';
import { isNothing, NOTHING, type Selection } from './selection.js';

export interface SelectionBarProps {
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onDelete: () => void;
  /** The page that exports the selected posts. */
  readonly exportPath: string;
  /** How many match, once it is known. */
  readonly count: number | undefined;
  /** Whether every row of the page is selected: then more can be. */
  readonly isPageSelected: boolean;
}

/** What can be done with the selected posts. */
export function SelectionBar(props: SelectionBarProps): ReactNode {
  const { selection, onSelect, onDelete, exportPath, count, isPageSelected } = props;
  const canSelectAll =
    selection.kind === 'some' && isPageSelected && count !== undefined && count > selection.ids.size;
  const text =
    selection.kind === 'all'
      ? t('posts.selection.all', { count: count === undefined ? '' : numberText(count) })
      : t('posts.selection.some', { smart_count: selection.ids.size });
  return (
    <>
      <Typography role="status" variant="body2" sx={{ position: 'absolute', clipPath: 'inset(50%)' }}>
        {isNothing(selection) ? '' : text}
      </Typography>
      {!isNothing(selection) && (
        <Paper
          variant="outlined"
          sx={{
            position: 'sticky',
            bottom: 12,
            zIndex: 2,
            mt: 2,
            px: 2,
            py: 1,
            display: 'flex',
            flexWrap: 'wrap',
            gap: 1,
            alignItems: 'center',
            borderColor: 'primary.main',
          }}
        >
          <Typography variant="body2" aria-hidden sx={{ fontWeight: 600, mr: 'auto' }}>
            {text}
          </Typography>
          {canSelectAll && (
            <Button size="small" onClick={() => onSelect({ kind: 'all' })}>
              {t('posts.selection.selectAll', { count: numberText(count) })}
            </Button>
          )}
          <Button size="small" onClick={() => onSelect(NOTHING)}>
            {t('posts.selection.clear')}
          </Button>
          <Button size="small" component={Link} to={exportPath}>
            {t('posts.export')}
          </Button>
          <Button size="small" variant="contained" color="error" onClick={onDelete}>
            {t('posts.selection.delete')}
          </Button>
        </Paper>
      )}
    </>
  );
}
