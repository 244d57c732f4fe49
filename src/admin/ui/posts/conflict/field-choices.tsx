import { Box, FormControlLabel, Radio, RadioGroup, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { type Field, FIELD } from '../../api/posts.js';
import { DifferenceView } from '../../difference/difference-view.js';
import { conflictsOf, type FieldMerge, type Side } from './merge.js';

const SIDE_NAMES = { mine: 'Mine', theirs: 'Theirs', both: 'Mine, then theirs' } as const;

export interface FieldChoicesProps {
  readonly merge: FieldMerge;
  readonly base: string;
  readonly theirs: string;
  readonly decisions: Readonly<Record<string, Side>>;
  readonly onDecide: (key: string, side: Side) => void;
}

/** A field whose values differ: each conflict with both changes and a choice, or what the other user has changed. */
export function FieldChoices({ merge, base, theirs, decisions, onDecide }: FieldChoicesProps): ReactNode {
  const { field } = merge;
  const { label, kind } = FIELD[field];
  const conflicts = conflictsOf(merge);
  const sides: readonly Side[] = kind === 'text' ? ['mine', 'theirs', 'both'] : ['mine', 'theirs'];
  const nameOf = (index: number): string =>
    conflicts.length > 1 ? `${label}, conflict ${index + 1} of ${conflicts.length}` : label;
  return (
    <Box component="section" sx={{ borderTop: 1, borderColor: 'divider', pt: 2 }}>
      {conflicts.length === 0 && (
        <>
          <Typography variant="h3">{label}</Typography>
          {theirs === base ? (
            <Typography variant="body2" color="textSecondary">
              Changed by you.
            </Typography>
          ) : (
            <Change label="What they changed, without a conflict" {...{ field, base }} value={theirs} />
          )}
        </>
      )}
      {conflicts.map(({ key, conflict }, index) => (
        <Box key={key} sx={{ mb: 2 }}>
          <Typography variant="h3">{nameOf(index)}</Typography>
          <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: '1fr 1fr' }, mt: 1 }}>
            <Change label="What I changed" field={field} base={conflict.base} value={conflict.mine} />
            <Change label="What they changed" field={field} base={conflict.base} value={conflict.theirs} />
          </Box>
          <RadioGroup
            row
            aria-label={nameOf(index)}
            value={decisions[key] ?? ''}
            onChange={(_, side) => onDecide(key, side as Side)}
            sx={{ mt: 0.5 }}
          >
            {sides.map((side) => (
              <FormControlLabel
                key={side}
                value={side}
                control={<Radio size="small" />}
                label={SIDE_NAMES[side]}
              />
            ))}
          </RadioGroup>
        </Box>
      ))}
    </Box>
  );
}

interface ChangeProps {
  readonly label: string;
  readonly field: Field;
  readonly base: string;
  readonly value: string;
}

/** Shows one side's change of the base value. */
function Change({ label, field, base, value }: ChangeProps): ReactNode {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="body2" component="h4" sx={{ fontWeight: 600, mb: 0.5 }}>
        {label}
      </Typography>
      <Box
        sx={{ maxHeight: 320, overflow: 'auto' }}
        tabIndex={0}
        role="group"
        aria-label={`${FIELD[field].label}: ${label}`}
      >
        <DifferenceView {...{ field, before: base, after: value }} />
      </Box>
    </Box>
  );
}
