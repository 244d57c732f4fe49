import { Button, Stack } from '@mui/material';
import type { ReactNode } from 'react';
import { Moment } from '../../time/moment.js';
import { CLASS, type Column } from './data-table.js';

export interface RowAction {
  readonly label: string;
  readonly isDangerous?: boolean;
  readonly run: () => unknown;
}

/** The buttons at the end of each row, aligned with the text of other cells. @param nameOf the row, for screen readers */
export function actionColumn<Row>(
  nameOf: (row: Row) => string,
  actionsOf: (row: Row, deselect: () => void) => readonly (RowAction | false)[],
): Column<Row> {
  return {
    label: 'Actions',
    hasOnlyButtons: true,
    render: (row, deselect) => (
      <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 0.5, mx: -0.625, my: -0.5 }}>
        {actionsOf(row, deselect).map(
          (action) =>
            action && (
              <Button
                key={action.label}
                size="small"
                color={action.isDangerous ? 'error' : 'primary'}
                aria-label={`${action.label} ${nameOf(row)}`}
                sx={{ minWidth: 0, whiteSpace: 'nowrap' }}
                onClick={() => void action.run()}
              >
                {action.label}
              </Button>
            ),
        )}
      </Stack>
    ),
  };
}

/** A date of each row. @param missing the text where there is none */
export function momentColumn<Row>(label: string, at: (row: Row) => string | null, missing = ''): Column<Row> {
  const render = (row: Row): ReactNode => {
    const date = at(row);
    return date === null ? missing : <Moment at={date} />;
  };
  return { label, render };
}

/** Text of a user in a cell: isolated from the text around it, also if it runs from right to left. */
export function UserText({ text }: { text: string }): ReactNode {
  return (
    <span dir="auto" className={CLASS.text}>
      {text}
    </span>
  );
}
