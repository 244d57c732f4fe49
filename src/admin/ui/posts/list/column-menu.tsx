import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormGroup from '@mui/material/FormGroup';
import Popover from '@mui/material/Popover';
import { type ReactNode, useState } from 'react';
import { ViewColumnIcon } from '../../shell/icons.js';
import { t } from '../../texts/texts.js';
import { type Column, COLUMNS } from './list-view.js';

export interface ColumnMenuProps {
  readonly columns: readonly Column[];
  readonly onChange: (columns: readonly Column[]) => void;
}

/** The menu of the list's columns. The title is the row header and is always shown. */
export function ColumnMenu({ columns, onChange }: ColumnMenuProps): ReactNode {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const isOpen = anchor !== undefined;
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<ViewColumnIcon />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        sx={{ height: 40 }}
      >
        {t('posts.list.columns')}
      </Button>
      <Popover
        open={isOpen}
        anchorEl={anchor ?? null}
        onClose={() => setAnchor(undefined)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{
          paper: { role: 'dialog', 'aria-label': t('posts.list.columns'), sx: { p: 2, mt: 0.5 } },
        }}
      >
        <FormGroup>
          {COLUMNS.map((column) => (
            <FormControlLabel
              key={column}
              disabled={column === 'title'}
              label={t(`posts.list.column.${column}`)}
              control={
                <Checkbox
                  size="small"
                  checked={columns.includes(column)}
                  onChange={({ target }) =>
                    onChange(
                      COLUMNS.filter((each) => (each === column ? target.checked : columns.includes(each))),
                    )
                  }
                />
              }
            />
          ))}
        </FormGroup>
      </Popover>
    </>
  );
}
