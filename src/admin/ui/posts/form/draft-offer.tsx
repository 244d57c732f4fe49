import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { t } from '../../texts/texts.js';
import { momentText } from '../../time/dates.js';
import { useTimeZone } from '../../time/time-zone.js';
import type { Drafts } from './drafts.js';

/** Offers to restore an unsaved draft. */
export function DraftOffer({ drafts, onTake }: { drafts: Drafts; onTake: () => void }): ReactNode {
  const zone = useTimeZone();
  const { offered, isTooLarge, remove } = drafts;
  if (isTooLarge) return <Alert severity="warning">{t('form.draft.tooLarge')}</Alert>;
  if (offered === undefined) return null;
  return (
    <Alert
      severity="info"
      role="status"
      action={
        <>
          <Button color="inherit" size="small" onClick={onTake}>
            {t('form.draft.take')}
          </Button>
          <Button color="inherit" size="small" onClick={remove}>
            {t('form.draft.discard')}
          </Button>
        </>
      }
    >
      {t('form.draft.offer', { when: momentText(offered.at, zone) })}
    </Alert>
  );
}
