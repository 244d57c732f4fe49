import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useNewestRevision } from '../../history/newest-revision.js';
import { formatUtc } from '../../texts/dates.js';
import { t } from '../../texts/texts.js';

/** Who changed the post last, and when. Whoever does not know it can still decide, so a failure shows nothing. */
export function LastChange({ postId }: { postId: number }): ReactNode {
  const { data: last } = useNewestRevision(postId);
  if (last === undefined) return null;
  return (
    <Typography sx={{ mt: 1, color: 'text.secondary' }}>
      {t('conflict.byWhom', {
        name: last.author.name ?? t('conflict.anonymous'),
        when: `${formatUtc(last.at)} UTC`,
      })}
    </Typography>
  );
}
