import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId, useMemo } from 'react';
import { FIELD } from '../../api/posts.js';
import { differenceOf } from '../../difference/difference.js';
import { DifferenceView } from '../../difference/difference-view.js';
import { t } from '../../texts/texts.js';
import { exactText } from '../../time/dates.js';
import { useTimeZone } from '../../time/time-zone.js';
import type { FieldConflict, Side } from './conflict.js';

export interface FieldChoiceProps {
  readonly conflict: FieldConflict;
  readonly chosen: Side | undefined;
  readonly onChoose: (side: Side) => void;
}

/** A field whose values differ: shows both changes, and the user chooses one. */
export function FieldChoice({ conflict, chosen, onChoose }: FieldChoiceProps): ReactNode {
  const id = useId();
  const { field, base, mine, theirs, both } = conflict;
  const sides: readonly Side[] = both === undefined ? ['mine', 'theirs'] : ['mine', 'theirs', 'both'];
  return (
    <FormControl component="fieldset" fullWidth sx={{ borderTop: 1, borderColor: 'divider', pt: 2 }}>
      <FormLabel
        component="legend"
        id={id}
        sx={{ color: 'text.primary', fontWeight: 650, fontSize: '1rem', float: 'left' }}
      >
        {t(`fields.label.${field}`)}
      </FormLabel>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, mt: 1 }}>
        <Change label={t('conflict.changedByMe')} field={field} base={base} value={mine} />
        <Change label={t('conflict.changedByThem')} field={field} base={base} value={theirs} />
      </Box>
      <RadioGroup
        row
        aria-labelledby={id}
        value={chosen ?? ''}
        onChange={(_, side) => onChoose(side as Side)}
        sx={{ mt: 0.5 }}
      >
        {sides.map((side) => (
          <FormControlLabel
            key={side}
            value={side}
            control={<Radio size="small" />}
            label={t(`conflict.${side}`)}
          />
        ))}
      </RadioGroup>
    </FormControl>
  );
}

interface ChangeProps {
  readonly label: string;
  readonly field: FieldConflict['field'];
  readonly base: string;
  readonly value: string;
}

/** Shows one side's change of the base value. */
function Change({ label, field, base, value }: ChangeProps): ReactNode {
  const zone = useTimeZone();
  const [before, after] =
    FIELD[field].kind === 'moment' ? [exactText(base, zone), exactText(value, zone)] : [base, value];
  const difference = useMemo(() => differenceOf(before, after), [before, after]);
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="body2" component="h3" sx={{ fontWeight: 600, mb: 0.5 }}>
        {label}
      </Typography>
      {before === after ? (
        <Typography variant="body2" color="textSecondary">
          {t('conflict.unchanged')}
        </Typography>
      ) : (
        <Box
          sx={{ maxHeight: 320, overflow: 'auto' }}
          tabIndex={0}
          role="region"
          aria-label={`${t(`fields.label.${field}`)}: ${label}`}
        >
          <DifferenceView difference={difference} />
        </Box>
      )}
    </Box>
  );
}
