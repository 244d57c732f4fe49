import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import type { ReactNode } from 'react';
import { useKey } from '../../shell/keys.js';
import { STICKY } from '../../shell/list/selection-bar.js';
import { useIsPhone } from '../../shell/page.js';

/** The action after a save. */
export type AfterSave = 'list' | 'another' | 'continue';

const LABELS = {
  continue: ['Save and continue editing', 'and continue'],
  another: ['Save and add another', 'and add another'],
} as const;

/** The save buttons, always visible. On a phone they form one row with shorter labels. */
export function FormActions({
  isSaving,
  onSave,
}: {
  isSaving: boolean;
  onSave: (then: AfterSave) => void;
}): ReactNode {
  const isPhone = useIsPhone();
  useKey('Mod+s', 'Save and continue editing', () => !isSaving && onSave('continue'));
  return (
    <Paper
      square
      role="group"
      aria-label="Actions"
      sx={[
        STICKY,
        {
          mt: 0,
          px: { xs: 2, sm: 0 },
          flexWrap: 'nowrap',
          backgroundColor: 'background.default',
          '& button': { whiteSpace: 'nowrap', minWidth: 0 },
        },
      ]}
    >
      <Button type="submit" variant="contained" disabled={isSaving}>
        {isSaving ? 'Saving…' : 'Save'}
      </Button>
      {(['continue', 'another'] as const).map((then) => (
        <Button
          key={then}
          variant="outlined"
          disabled={isSaving}
          aria-label={LABELS[then][0]}
          onClick={() => onSave(then)}
          sx={{ px: { xs: 1, sm: 2 } }}
        >
          {LABELS[then][isPhone ? 1 : 0]}
        </Button>
      ))}
    </Paper>
  );
}
