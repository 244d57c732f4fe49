import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import type { ReactNode } from 'react';
import { useObservable } from '../api/observable.js';
import { openDialog, TitledDialog } from './dialogs.js';
import { shortcuts, singleKeys } from './keys.js';

/** Keys of tables, which no component registers. */
const OF_TABLES = ['Shift+click, Shift+Space', 'Select all rows between the last selected one and this one'];

/** Opens the list of the keyboard shortcuts of the current page. */
export function showKeys(): void {
  openDialog((close) => <KeysDialog close={close} />);
}

function KeysDialog({ close }: { close: () => void }): ReactNode {
  const known = useObservable(shortcuts);
  const areOn = useObservable(singleKeys) === 'on';
  const rows = [...known.map(({ key, text }) => [key.replace('Mod+s', 'Ctrl+S or ⌘S'), text]), OF_TABLES];
  return (
    <TitledDialog
      title="Keys"
      onClose={close}
      actions={
        <Button autoFocus onClick={close}>
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
