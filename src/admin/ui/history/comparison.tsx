import { Stack, Typography } from '@mui/material';
import { type ReactNode, useMemo } from 'react';
import type { WholeRevisionDto } from '../../posts.controller.js';
import { contentOf, type Field, FIELD, FIELDS } from '../api/posts.js';
import { DifferenceView } from '../difference/difference-view.js';
import { differenceOf } from '../difference/difference.js';
import { BodyText } from '../posts/body-text.js';
import { Loaded } from '../shell/loaded.js';
import { numberText } from '../texts/texts.js';
import { exactText } from '../time/dates.js';
import { useTimeZone } from '../time/time-zone.js';
import { useRevision } from './revision.js';

export interface ComparisonProps {
  readonly postId: number;
  /** The version before; without it, the other one is shown in full. */
  readonly from: number | undefined;
  readonly to: number;
}

/** Shows what changed in a version of a post. */
export function Comparison({ postId, from, to }: ComparisonProps): ReactNode {
  const older = useRevision(postId, from);
  const newer = useRevision(postId, to);
  return (
    <Stack sx={{ gap: 2 }}>
      <Loaded query={newer}>
        {(right) =>
          from === undefined ? (
            <RevisionContent revision={right} />
          ) : (
            <Loaded query={older}>{(left) => <FieldDifferences from={left} to={right} />}</Loaded>
          )
        }
      </Loaded>
    </Stack>
  );
}

/** Shows the difference between two revisions, field by field. */
function FieldDifferences({ from, to }: { from: WholeRevisionDto; to: WholeRevisionDto }): ReactNode {
  const zone = useTimeZone();
  const differences = useMemo(
    () =>
      FIELDS.map((field) => ({
        field,
        difference: differenceOf(shownText(from, field, zone), shownText(to, field, zone)),
      })),
    [from, to, zone],
  );
  const changed = differences.filter(({ difference }) => difference.rows.length > 0);
  if (changed.length === 0) {
    return <Typography>These versions have the same title, date and text.</Typography>;
  }
  return changed.map(({ field, difference }) => (
    <div key={field}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'baseline', mb: 0.75 }}>
        <Typography variant="h3">{FIELD[field].label}</Typography>
        {FIELD[field].kind === 'text' && (
          <Typography variant="body2" color="textSecondary">
            {`${numberText(difference.removed)} removed, ${numberText(difference.added)} added lines`}
          </Typography>
        )}
      </Stack>
      <DifferenceView difference={difference} />
    </div>
  ));
}

/** Shows a complete revision of a post. */
function RevisionContent({ revision }: { revision: WholeRevisionDto }): ReactNode {
  const zone = useTimeZone();
  return FIELDS.map((field) => (
    <div key={field}>
      <Typography variant="h3" sx={{ mb: 0.75 }}>
        {FIELD[field].label}
      </Typography>
      <BodyText key={revision.number} body={shownText(revision, field, zone)} />
    </div>
  ));
}

/** Formats a field of a revision as text. */
function shownText(revision: WholeRevisionDto, field: Field, zone: string): string {
  const text = contentOf(revision)[field];
  return FIELD[field].kind === 'moment' ? exactText(text, zone) : text;
}
