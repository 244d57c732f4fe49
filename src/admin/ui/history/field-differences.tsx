import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useMemo } from 'react';
import { DifferenceView } from '../difference/difference-view.js';
import { differenceOf } from '../difference/difference.js';
import { numberText } from '../texts/numbers.js';
import { t } from '../texts/texts.js';
import type { WholeRevision } from './revision.js';

const FIELDS = [
  { name: 'title', label: 'history.fieldTitle' },
  { name: 'pub_date', label: 'history.fieldDate' },
  { name: 'body', label: 'history.fieldBody' },
] as const;

/** What differs between two versions of a post, field by field. */
export function FieldDifferences({ from, to }: { from: WholeRevision; to: WholeRevision }): ReactNode {
  const differences = useMemo(
    () => FIELDS.map((field) => ({ ...field, difference: differenceOf(from[field.name], to[field.name]) })),
    [from, to],
  );
  const changed = differences.filter(({ difference }) => difference.groups.length > 0);
  if (changed.length === 0) return <Typography>{t('history.same')}</Typography>;
  return (
    <Stack sx={{ gap: 2 }}>
      {changed.map(({ name, label, difference }) => (
        <div key={name}>
          <Stack direction="row" sx={{ gap: 1, alignItems: 'baseline', mb: 0.75 }}>
            <Typography variant="h3">{t(label)}</Typography>
            {name === 'body' && (
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
