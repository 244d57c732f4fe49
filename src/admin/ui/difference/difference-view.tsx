import { alpha, Paper, type Theme, Typography } from '@mui/material';
import { type ReactNode, useMemo } from 'react';
import { type Field, FIELD } from '../api/posts.js';
import { counted, numberText } from '../texts/texts.js';
import { HIDDEN, MONOSPACE, PLAIN_TEXT } from '../theme/theme.js';
import { exactText } from '../time/dates.js';
import { useTimeZone } from '../time/time-zone.js';
import { type DifferenceLine, differenceOf } from './difference.js';

export interface DifferenceViewProps {
  readonly field: Field;
  readonly before: string;
  readonly after: string;
}

/** Shows line by line how a field of a post has changed. Texts are rendered as text, never as HTML. */
export function DifferenceView({ field, before, after }: DifferenceViewProps): ReactNode {
  const zone = useTimeZone();
  const { rows, leftOut, removed, added } = useMemo(
    () => differenceOf(shownText(field, before, zone), shownText(field, after, zone)),
    [field, before, after, zone],
  );
  return (
    <Paper variant="outlined" translate="no" sx={LINES}>
      {FIELD[field].kind === 'text' && (
        <Typography variant="body2" sx={NOTE}>
          {`${numberText(removed)} removed, ${numberText(added)} added lines`}
        </Typography>
      )}
      {rows.map((row, index) =>
        'skipped' in row ? (
          <Typography key={index} variant="body2" sx={{ ...NOTE, fontStyle: 'italic' }}>
            … {counted(row.skipped, 'unchanged line')}
          </Typography>
        ) : (
          <Line key={index} line={row} />
        ),
      )}
      {leftOut > 0 && (
        <Typography variant="body2" sx={{ ...NOTE, fontWeight: 600 }}>
          {`${numberText(leftOut)} more changed lines are not shown`}
        </Typography>
      )}
    </Paper>
  );
}

/** A value of a field as text; empty for null. */
export function shownText(field: Field, value: string | null, zone: string): string {
  if (value === null) return '';
  return FIELD[field].kind === 'moment' ? exactText(value, zone) : value;
}

const NOTE = { px: 1.5, py: 0.5, color: 'text.secondary', backgroundColor: 'action.hover' } as const;

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;
const ELEMENTS = { same: 'span', removed: 'del', added: 'ins' } as const;

/** A line of the view. It has plain elements, because hundreds of them render at once. */
function Line({ line: { kind, parts, lacksEnd } }: { line: DifferenceLine }): ReactNode {
  const Text = ELEMENTS[kind];
  return (
    <div className={kind}>
      <span aria-hidden>{SIGNS[kind]}</span>
      <Text dir="auto">
        {/* The colour and the sign show the same. */}
        {kind !== 'same' && <span style={HIDDEN}>{kind === 'added' ? 'Added: ' : 'Removed: '}</span>}
        {parts.map(({ text, isMarked }, index) => (isMarked ? <mark key={index}>{text}</mark> : text))}
        {lacksEnd && <em> (no line end)</em>}
      </Text>
    </div>
  );
}

function colours({ palette }: Theme, colour: 'error' | 'success') {
  const { main } = palette[colour];
  return { backgroundColor: alpha(main, 0.12), '& mark': { backgroundColor: alpha(main, 0.28) } };
}

/** The styles of all lines, by their kinds. */
const LINES = {
  overflow: 'hidden',
  '& > div': { display: 'flex', fontFamily: MONOSPACE, fontSize: '0.8125rem', lineHeight: 1.6, px: 1.5 },
  '& .removed': (theme: Theme) => colours(theme, 'error'),
  '& .added': (theme: Theme) => colours(theme, 'success'),
  '& [aria-hidden]': { width: '2ch', flexShrink: 0, whiteSpace: 'pre', userSelect: 'none' },
  '& [dir]': { ...PLAIN_TEXT, minWidth: 0, flexGrow: 1, textDecoration: 'none' },
  '& mark': { color: 'inherit', borderRadius: '3px' },
  '& em': { opacity: 0.75 },
} as const;
