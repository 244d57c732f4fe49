import { alpha, Box, Paper, type Theme, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { counted, numberText } from '../texts/texts.js';
import { HIDDEN, MONOSPACE, PLAIN_TEXT } from '../theme/theme.js';
import type { Difference, DifferenceLine } from './difference.js';

/** Shows the difference between two texts line by line. Texts are rendered as text, never as HTML. */
export function DifferenceView({ difference: { rows, leftOut } }: { difference: Difference }): ReactNode {
  return (
    <Paper variant="outlined" translate="no" sx={{ overflow: 'hidden' }}>
      {rows.map((row, index) =>
        'skipped' in row ? <Skipped key={index} lines={row.skipped} /> : <Line key={index} line={row} />,
      )}
      {leftOut > 0 && (
        <Typography variant="body2" sx={{ px: 1.5, py: 1, fontWeight: 600 }}>
          {`${numberText(leftOut)} more changed lines are not shown`}
        </Typography>
      )}
    </Paper>
  );
}

function Skipped({ lines }: { lines: number }): ReactNode {
  return (
    <Typography
      variant="body2"
      sx={{ px: 1.5, py: 0.5, color: 'text.secondary', backgroundColor: 'action.hover', fontStyle: 'italic' }}
    >
      … {counted(lines, 'unchanged line')}
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
        {parts.map(({ text, isMarked }, index) => (isMarked ? <mark key={index}>{text}</mark> : text))}
      </Box>
    </Box>
  );
}
