import { mdiDotsVertical } from '@mdi/js';
import { Menu, MenuItem } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useBackCloses } from '../navigation-guards.js';
import { CLASS, type Column } from './data-table.js';

/** An entry of the menu of a row: a link, or something to do. */
export interface MenuAction {
  readonly label: string;
  readonly isDangerous?: boolean;
  readonly to?: string;
  /** The state of the link. */
  readonly state?: object;
  readonly run?: () => void;
}

interface OpenMenu<Row> {
  readonly row: Row;
  readonly anchor: HTMLElement;
}

/** A column with a button in each row, and the one menu that they open. @param nameOf the row, for screen readers */
export function useRowMenu<Row>(
  nameOf: (row: Row) => string,
  actionsOf: (row: Row) => readonly (MenuAction | false)[],
): [column: Column<Row>, menu: ReactNode] {
  const [opened, open] = useState<OpenMenu<Row>>();
  const close = (): void => open(undefined);
  useBackCloses(opened !== undefined, close);
  const column: Column<Row> = {
    label: 'Actions',
    hasOnlyButtons: true,
    width: 64,
    // A plain button, because hundreds of them render at a click.
    render: (row) => (
      <button
        type="button"
        className={CLASS.menu}
        aria-label={`Actions for ${nameOf(row)}`}
        aria-haspopup="menu"
        aria-expanded={opened?.row === row}
        onClick={({ currentTarget }) => open({ row, anchor: currentTarget })}
      >
        <svg viewBox="0 0 24 24" width="20" height="20" fill="currentColor" aria-hidden>
          <path d={mdiDotsVertical} />
        </svg>
      </button>
    ),
  };
  const menu = opened && (
    // Not beside the page: all content is in a landmark.
    <Menu open disablePortal anchorEl={opened.anchor} onClose={close} transitionDuration={0}>
      {actionsOf(opened.row).map(
        (action) =>
          action && (
            <MenuItem
              key={action.label}
              {...(action.to !== undefined && { component: Link, to: action.to, state: action.state })}
              onClick={() => {
                close();
                action.run?.();
              }}
              sx={action.isDangerous ? { color: 'error.main' } : null}
            >
              {action.label}
            </MenuItem>
          ),
      )}
    </Menu>
  );
  return [column, menu];
}
