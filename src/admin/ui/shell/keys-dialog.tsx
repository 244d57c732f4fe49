import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { type ReactNode, useSyncExternalStore } from 'react';
import { t } from '../texts/texts.js';
import { TitledDialog } from './dialogs.js';
import { shortcuts, singleKeys, useKey } from './keys.js';

/** Keys of tables, which no component registers. */
const OF_TABLES = [[t('keys.shift'), t('keys.range')]] as const;

export interface KeysDialogProps {
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

/** Lists the keyboard shortcuts of the current page. A shortcut opens it. */
export function KeysDialog({ isOpen, onOpen, onClose }: KeysDialogProps): ReactNode {
  useKey('?', 'keys.list', onOpen);
  const known = useSyncExternalStore(shortcuts.subscribe, shortcuts.get);
  const areOn = useSyncExternalStore(singleKeys.subscribe, singleKeys.get) === 'on';
  const rows = [
    ...known.map(({ key, text }) => [key.replace('Mod+s', t('keys.mod')), t(text)]),
    ...OF_TABLES,
  ];
  return (
    <TitledDialog
      title={t('keys.title')}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <Button autoFocus onClick={onClose}>
          {t('shell.close')}
        </Button>
      }
    >
      <table aria-label={t('keys.title')}>
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
        label={t('keys.single')}
        control={<Switch checked={areOn} onChange={(_, isOn) => singleKeys.set(isOn ? 'on' : 'off')} />}
      />
    </TitledDialog>
  );
}
