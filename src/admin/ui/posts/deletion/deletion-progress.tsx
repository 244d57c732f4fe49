import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { numberText } from '../../texts/numbers.js';
import { t } from '../../texts/texts.js';
import type { BulkDeletionProgress } from './bulk-deletion.js';

export interface DeletionProgressProps {
  readonly progress: BulkDeletionProgress | undefined;
  readonly isRunning: boolean;
  readonly isStopped: boolean;
}

/** How far a bulk deletion is, or how far it came. */
export function DeletionProgress({ progress, isRunning, isStopped }: DeletionProgressProps): ReactNode {
  const percent = progress && progress.total > 0 ? Math.floor((progress.deleted / progress.total) * 100) : 0;
  const text = isRunning
    ? 'deletion.many.progressText'
    : isStopped
      ? 'deletion.many.stopped'
      : 'deletion.many.failed';
  return (
    <>
      <LinearProgress
        variant={progress === undefined ? 'indeterminate' : 'determinate'}
        value={percent}
        aria-label={t('deletion.many.progress')}
        sx={{ my: 2, height: 8, borderRadius: 4 }}
      />
      <Typography role="status" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {progress && t(text, { deleted: numberText(progress.deleted), total: numberText(progress.total) })}
      </Typography>
    </>
  );
}
