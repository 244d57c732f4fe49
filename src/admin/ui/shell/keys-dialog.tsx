import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { type ReactNode } from 'react';
import { TitledDialog } from './dialogs.js';
import { shortcuts, singleKeys, useKey } from './keys.js';
import { useObservable } from '../api/observable.js';

/** Keys of tables, which no component registers. */
const OF_TABLES = [
  ['Shift+click, Shift+Space', 'Select all rows between the last selected one and this one'],
] as const;

export interface KeysDialogProps {
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

/** Lists the keyboard shortcuts of the current page. A shortcut opens it. */
export function KeysDialog({ isOpen, onOpen, onClose }: KeysDialogProps): ReactNode {
  useKey('?', 'Show this list', onOpen);
  const known = useObservable(shortcuts);
  const areOn = useObservable(singleKeys) === 'on';
  const rows = [...known.map(({ key, text }) => [key.replace('Mod+s', 'Ctrl+S or ⌘S'), text]), ...OF_TABLES];
  return (
    <TitledDialog
      title="Keys"
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <Button autoFocus onClick={onClose}>
          Close
        </Button>
      }
    >
      <table aria-label="Keys">
        <tbody>
          {rows.map(([key, text]) => (
            <tr key={key}>
              <th scope="row" style={{ textAlign: 'start', paddingInlineEnd: 24 }}>
                <kbd>{key}</kbd>
              </th>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <FormControlLabel
        label="Use single-letter keys"
        control={<Switch checked={areOn} onChange={(_, isOn) => singleKeys.set(isOn ? 'on' : 'off')} />}
      />
    </TitledDialog>
  );
}
