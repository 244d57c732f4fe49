import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useMemo } from 'react';
import { FIELD, FIELDS } from '../api/posts.js';
import { DifferenceView } from '../difference/difference-view.js';
import { differenceOf } from '../difference/difference.js';
import { numberText } from '../texts/numbers.js';
import { t } from '../texts/texts.js';
import type { WholeRevision } from './revision.js';

/** What differs between two versions of a post, field by field. */
export function FieldDifferences({ from, to }: { from: WholeRevision; to: WholeRevision }): ReactNode {
  const differences = useMemo(
    () => FIELDS.map((field) => ({ field, difference: differenceOf(from[field], to[field]) })),
    [from, to],
  );
  const changed = differences.filter(({ difference }) => difference.groups.length > 0);
  if (changed.length === 0) return <Typography>{t('history.same')}</Typography>;
  return (
    <Stack sx={{ gap: 2 }}>
      {changed.map(({ field, difference }) => (
        <div key={field}>
          <Stack direction="row" sx={{ gap: 1, alignItems: 'baseline', mb: 0.75 }}>
            <Typography variant="h3">{t(`fields.name.${field}`)}</Typography>
            {FIELD[field].kind === 'text' && (
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {t('history.counts', {
                  removed: numberText(difference.removed),
                  added: numberText(difference.added),
                })}
              </Typography>
            )}
          </Stack>
          <DifferenceView difference={difference} />
        </div>
      ))}
    </Stack>
  );
}
