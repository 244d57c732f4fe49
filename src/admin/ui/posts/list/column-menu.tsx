import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormGroup from '@mui/material/FormGroup';
import Popover from '@mui/material/Popover';
import { type ReactNode, useState } from 'react';
import { ViewColumnIcon } from '../../shell/icons.js';
import { type Column, COLUMN_NAMES, COLUMNS } from './list-view.js';

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
        Columns
      </Button>
      <Popover
        open={isOpen}
        anchorEl={anchor ?? null}
        onClose={() => setAnchor(undefined)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{
          paper: { role: 'dialog', 'aria-label': 'Columns', sx: { p: 2, mt: 0.5 } },
        }}
      >
        <FormGroup>
          {COLUMNS.map((column) => (
            <FormControlLabel
              key={column}
              disabled={column === 'title'}
              label={COLUMN_NAMES[column]}
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
