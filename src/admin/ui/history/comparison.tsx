import { Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import type { WholeRevisionDto } from '../../revisions.controller.js';
import { contentOf, type Field, FIELD, FIELDS, isSameContent } from '../api/posts.js';
import { DifferenceView, shownText } from '../difference/difference-view.js';
import { BodyText } from '../posts/body-text.js';
import { Loaded } from '../shell/loaded.js';
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

function FieldDifferences({ from, to }: { from: WholeRevisionDto; to: WholeRevisionDto }): ReactNode {
  const [before, after] = [contentOf(from), contentOf(to)];
  if (isSameContent(before, after)) {
    return <Typography>These versions have the same title, date and text.</Typography>;
  }
  return FIELDS.filter((field) => before[field] !== after[field]).map((field) => (
    <FieldSection key={field} field={field}>
      <DifferenceView field={field} before={before[field]} after={after[field]} />
    </FieldSection>
  ));
}

function RevisionContent({ revision }: { revision: WholeRevisionDto }): ReactNode {
  const zone = useTimeZone();
  return FIELDS.map((field) => (
    <FieldSection key={field} field={field}>
      <BodyText key={revision.number} body={shownText(field, contentOf(revision)[field], zone)} />
    </FieldSection>
  ));
}

function FieldSection({ field, children }: { field: Field; children: ReactNode }): ReactNode {
  return (
    <section>
      <Typography variant="h3" sx={{ mb: 0.75 }}>
        {FIELD[field].label}
      </Typography>
      {children}
    </section>
  );
}
