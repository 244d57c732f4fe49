import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import { alpha, type Theme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { numberText } from '../texts/numbers.js';
import { plural } from '../texts/texts.js';
import { HIDDEN, MONOSPACE, PLAIN_TEXT } from '../theme/theme.js';
import type { Difference, DifferenceLine, Part } from './difference.js';

/** Shows the difference between two texts line by line. Texts are rendered as text, never as HTML. */
export function DifferenceView({ difference }: { difference: Difference }): ReactNode {
  const { groups, skippedAfter, leftOut } = difference;
  return (
    <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
      {groups.map(({ skippedBefore, lines }, group) => (
        <div key={group}>
          <Skipped lines={skippedBefore} />
          {lines.map((line, index) => (
            <Line key={index} line={line} />
          ))}
        </div>
      ))}
      <Skipped lines={skippedAfter} />
      {leftOut > 0 && (
        <Typography variant="body2" sx={{ px: 1.5, py: 1, fontWeight: 600 }}>
          {`${numberText(leftOut)} more changed lines are not shown`}
        </Typography>
      )}
    </Paper>
  );
}

function Skipped({ lines }: { lines: number }): ReactNode {
  if (lines === 0) return null;
  return (
    <Typography
      variant="body2"
      sx={{ px: 1.5, py: 0.5, color: 'text.secondary', backgroundColor: 'action.hover', fontStyle: 'italic' }}
    >
      … {plural(lines, '1 unchanged line', `${numberText(lines)} unchanged lines`)}
    </Typography>
  );
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;
const COLOURS = { same: undefined, removed: 'error', added: 'success' } as const;
const ELEMENTS = { same: 'span', removed: 'del', added: 'ins' } as const;

function Line({ line: { kind, parts } }: { line: DifferenceLine }): ReactNode {
  const colour = COLOURS[kind];
  return (
    <Box
      sx={{
        display: 'flex',
        fontFamily: MONOSPACE,
        fontSize: '0.8125rem',
        lineHeight: 1.6,
        px: 1.5,
        ...(colour && { backgroundColor: (theme: Theme) => alpha(theme.palette[colour].main, 0.12) }),
        '& del, & ins': { textDecoration: 'none' },
        '& mark': {
          color: 'inherit',
          borderRadius: '3px',
          ...(colour && { backgroundColor: (theme: Theme) => alpha(theme.palette[colour].main, 0.28) }),
        },
      }}
    >
      <Box
        component="span"
        aria-hidden
        sx={{ width: '2ch', flexShrink: 0, whiteSpace: 'pre', userSelect: 'none' }}
      >
        {SIGNS[kind]}
      </Box>
      <Box component={ELEMENTS[kind]} dir="auto" sx={{ ...PLAIN_TEXT, minWidth: 0, flexGrow: 1 }}>
        {/* The colour and the sign show the same. */}
        {kind !== 'same' && <span style={HIDDEN}>{kind === 'added' ? 'Added: ' : 'Removed: '}</span>}
        {parts.map((part, index) => (
          <PartText key={index} part={part} />
        ))}
      </Box>
    </Box>
  );
}

function PartText({ part }: { part: Part }): ReactNode {
  if ('leftOut' in part) {
    return (
      <Box component="i" sx={{ color: 'text.secondary', px: 0.5 }}>
        … {`${numberText(part.leftOut)} more characters`} …
      </Box>
    );
  }
  return part.isMarked ? <mark>{part.text}</mark> : part.text;
}
