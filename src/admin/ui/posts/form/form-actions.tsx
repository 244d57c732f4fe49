import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import type { ReactNode } from 'react';
import { useKey } from '../../shell/keys.js';
import { STICKY } from '../../shell/list/selection-bar.js';
import { useIsPhone } from '../../shell/page.js';
import { t } from '../../texts/texts.js';

/** The action after a save. */
export type AfterSave = 'list' | 'another' | 'continue';

/** The save buttons, always visible. On a phone they form one row with shorter labels. */
export function FormActions({
  isSaving,
  onSave,
}: {
  isSaving: boolean;
  onSave: (then: AfterSave) => void;
}): ReactNode {
  const isPhone = useIsPhone();
  useKey('Mod+s', 'form.saveAnd.continue', () => !isSaving && onSave('continue'));
  return (
    <Paper
      square
      role="group"
      aria-label={t('lists.actions')}
      sx={[
        STICKY,
        {
          mt: 0,
          flexWrap: 'nowrap',
          backgroundColor: 'background.default',
          '& button': { whiteSpace: 'nowrap', minWidth: 0 },
        },
      ]}
    >
      <Button type="submit" variant="contained" disabled={isSaving}>
        {t(isSaving ? 'form.saving' : 'form.save')}
      </Button>
      {(['continue', 'another'] as const).map((then) => (
        <Button
          key={then}
          variant="outlined"
          disabled={isSaving}
          aria-label={t(`form.saveAnd.${then}`)}
          onClick={() => onSave(then)}
          sx={{ px: { xs: 1, sm: 2 } }}
        >
          {t(isPhone ? `form.and.${then}` : `form.saveAnd.${then}`)}
        </Button>
      ))}
    </Paper>
  );
}
