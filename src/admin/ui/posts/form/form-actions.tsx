import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { BackIcon } from '../../shell/icons.js';
import { t } from '../../texts/texts.js';
import { useListPath } from '../list/use-list-state.js';

/** What follows a save. */
export type AfterSave = 'list' | 'another' | 'continue';

/** The ways to save, always in reach. */
export function FormActions({
  isSaving,
  onSave,
}: {
  isSaving: boolean;
  onSave: (then: AfterSave) => void;
}): ReactNode {
  return (
    <Paper
      variant="outlined"
      role="group"
      aria-label={t('form.actions')}
      sx={{
        position: 'sticky',
        bottom: { xs: 0, sm: 12 },
        zIndex: 2,
        p: 1.5,
        display: 'flex',
        flexWrap: 'wrap',
        gap: 1,
        alignItems: 'center',
      }}
    >
      <Button type="submit" variant="contained" disabled={isSaving}>
        {t(isSaving ? 'form.saving' : 'form.save')}
      </Button>
      <Button variant="outlined" disabled={isSaving} onClick={() => onSave('continue')}>
        {t('form.saveContinue')}
      </Button>
      <Button variant="outlined" disabled={isSaving} onClick={() => onSave('another')}>
        {t('form.saveAnother')}
      </Button>
    </Paper>
  );
}

/** The way back to the list as it was left. */
export function BackToList(): ReactNode {
  return (
    <Button
      component={Link}
      to={useListPath()[0]}
      size="small"
      startIcon={<BackIcon />}
      sx={{ ml: -0.5, mb: 0.5 }}
    >
      {t('form.back')}
    </Button>
  );
}
