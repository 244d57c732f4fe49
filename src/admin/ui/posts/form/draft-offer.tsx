import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { momentText } from '../../time/dates.js';
import { useTimeZone } from '../../time/time-zone.js';
import type { Drafts } from './drafts.js';

/** Offers to restore an unsaved draft. */
export function DraftOffer({ drafts, onTake }: { drafts: Drafts; onTake: () => void }): ReactNode {
  const zone = useTimeZone();
  const { offered, isTooLarge, remove } = drafts;
  if (isTooLarge)
    return (
      <Alert severity="warning">
        This text is too large for the browser to keep. Save it before you leave.
      </Alert>
    );
  if (offered === undefined) return null;
  return (
    <Alert
      severity="info"
      role="status"
      action={
        <>
          <Button color="inherit" size="small" onClick={onTake}>
            Restore it
          </Button>
          <Button color="inherit" size="small" onClick={remove}>
            Discard it
          </Button>
        </>
      }
    >
      {`There is unsaved text from ${momentText(offered.at, zone)}.`}
    </Alert>
  );
}
