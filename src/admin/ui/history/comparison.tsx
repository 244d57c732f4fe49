import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useMemo, useState } from 'react';
import type { RevisionDto, WholeRevisionDto } from '../../history/post-history.controller.js';
import { type Field, FIELD, FIELDS } from '../api/posts.js';
import { DifferenceView } from '../difference/difference-view.js';
import { differenceOf } from '../difference/difference.js';
import { SelectField } from '../shell/fields.js';
import { Loaded } from '../shell/loaded.js';
import { numberText } from '../texts/numbers.js';
import { PLAIN_TEXT } from '../theme/theme.js';
import { exactText, momentText } from '../time/dates.js';
import { useTimeZone } from '../time/time-zone.js';
import { useRevision } from './revision.js';

export interface ComparisonProps {
  readonly postId: number;
  readonly revisions: readonly RevisionDto[];
  /** The older revision; without it, the other one is shown in full. */
  readonly from: number | undefined;
  readonly to: number;
  readonly onChoose: (from: number | undefined, to: number) => void;
}

/** Compares any two revisions of a post. */
export function Comparison({ postId, revisions, from, to, onChoose }: ComparisonProps): ReactNode {
  const zone = useTimeZone();
  const older = useRevision(postId, from);
  const newer = useRevision(postId, to);
  return (
    <Stack sx={{ gap: 2 }}>
      <Stack direction={{ xs: 'column', sm: 'row' }} sx={{ gap: 1.5, maxWidth: 720 }}>
        <SelectField
          label="From version"
          value={from ?? ''}
          options={[['', 'Nothing: show the whole version'], ...optionsOf(revisions, from, zone)]}
          onChange={(number) => onChoose(number === '' ? undefined : Number(number), to)}
        />
        <SelectField
          label="To version"
          value={to}
          options={optionsOf(revisions, to, zone)}
          onChange={(number) => onChoose(from, Number(number))}
        />
      </Stack>
      {from === undefined ? (
        <Loaded query={newer}>{(revision) => <RevisionContent revision={revision} />}</Loaded>
      ) : (
        <Loaded query={older}>
          {(left) => <Loaded query={newer}>{(right) => <FieldDifferences from={left} to={right} />}</Loaded>}
        </Loaded>
      )}
    </Stack>
  );
}

/** Lists the revisions of the page, and the chosen one even when it is on another page. */
function optionsOf(
  revisions: readonly RevisionDto[],
  chosen: number | undefined,
  zone: string,
): [number, string][] {
  const listed = revisions.map(({ number, at }): [number, string] => [
    number,
    `${number} · ${momentText(at, zone)}`,
  ]);
  if (chosen === undefined || revisions.some(({ number }) => number === chosen)) return listed;
  return [...listed, [chosen, `Version ${chosen}`]];
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
  const changed = differences.filter(({ difference }) => difference.groups.length > 0);
  if (changed.length === 0)
    return <Typography>These versions have the same title, date and text.</Typography>;
  return (
    <Stack sx={{ gap: 2 }}>
      {changed.map(({ field, difference }) => (
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
      ))}
    </Stack>
  );
}

/** Formats a field of a revision as text. */
function shownText(revision: WholeRevisionDto, field: Field, zone: string): string {
  return FIELD[field].kind === 'moment' ? exactText(revision[field], zone) : revision[field];
}

/** The rest is shown on request: a body may have any length. */
const SHOWN_CHARACTERS = 20_000;

/** Shows a complete revision of a post, as text. */
function RevisionContent({ revision }: { revision: WholeRevisionDto }): ReactNode {
  const zone = useTimeZone();
  return (
    <Stack sx={{ gap: 2 }}>
      {FIELDS.map((field) => (
        <FieldText key={field} label={FIELD[field].label} text={shownText(revision, field, zone)} />
      ))}
    </Stack>
  );
}

function FieldText({ label, text }: { label: string; text: string }): ReactNode {
  const [showsAll, setShowsAll] = useState(false);
  const isCut = !showsAll && text.length > SHOWN_CHARACTERS;
  return (
    <div>
      <Typography variant="h3" sx={{ mb: 0.75 }}>
        {label}
      </Typography>
      {text === '' ? (
        <Typography color="textSecondary">Empty</Typography>
      ) : (
        <Paper variant="outlined" dir="auto" sx={{ ...PLAIN_TEXT, px: 1.5, py: 1 }}>
          {isCut ? text.slice(0, SHOWN_CHARACTERS) : text}
        </Paper>
      )}
      {isCut && (
        <Button variant="outlined" onClick={() => setShowsAll(true)} sx={{ mt: 2 }}>
          {`Show all ${numberText(text.length)} characters`}
        </Button>
      )}
    </div>
  );
}
