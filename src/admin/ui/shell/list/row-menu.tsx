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

/** A column with a button in each row that opens the menu of the row. @param nameOf the row, for screen readers */
export function menuColumn<Row>(
  nameOf: (row: Row) => string,
  actionsOf: (row: Row) => readonly (MenuAction | false)[],
): Column<Row> {
  return {
    label: 'Actions',
    hasOnlyButtons: true,
    width: 88,
    render: (row) => <RowMenu name={nameOf(row)} actionsOf={() => actionsOf(row)} />,
  };
}

interface RowMenuProps {
  readonly name: string;
  readonly actionsOf: () => readonly (MenuAction | false)[];
}

function RowMenu({ name, actionsOf }: RowMenuProps): ReactNode {
  const [anchor, setAnchor] = useState<HTMLElement>();
  return (
    <>
      {/* A plain button, because hundreds of them render at a click. */}
      <button
        type="button"
        className={CLASS.menu}
        aria-label={`Actions for ${name}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        <svg viewBox="0 0 24 24" width="20" height="20" fill="currentColor" aria-hidden>
          <path d={mdiDotsVertical} />
        </svg>
      </button>
      {anchor && <OpenMenu anchor={anchor} actions={actionsOf()} onClose={() => setAnchor(undefined)} />}
    </>
  );
}

interface OpenMenuProps {
  readonly anchor: HTMLElement;
  readonly actions: readonly (MenuAction | false)[];
  readonly onClose: () => void;
}

function OpenMenu({ anchor, actions, onClose }: OpenMenuProps): ReactNode {
  useBackCloses(true, onClose);
  return (
    // Not beside the page: all content is in a landmark.
    <Menu open disablePortal anchorEl={anchor} onClose={onClose} transitionDuration={0}>
      {actions.map(
        (action) =>
          action && (
            <MenuItem
              key={action.label}
              {...(action.to !== undefined && { component: Link, to: action.to, state: action.state })}
              onClick={() => {
                onClose();
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
}
