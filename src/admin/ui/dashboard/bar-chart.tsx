import Box from '@mui/material/Box';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { monthRange } from '../posts/list/calendar.js';
import { formatLongMonth, formatMonth } from '../time/dates.js';
import { numberText } from '../texts/numbers.js';
import { plural } from '../texts/texts.js';
import type { MonthsChart } from './months-chart.js';

/** In the SVG's own units. The chart scales to the available width. */
const WIDTH = 720;
const HEIGHT = 236;
const LEFT = 64;
const TOP = 20;
const FOOT = 60;
const PLOT = { width: WIDTH - LEFT, height: HEIGHT - TOP - FOOT };

/** A chart whose bars lead to the posts of the month; the table beside it has the numbers. */
export function BarChart({ chart: { bars, ticks } }: { chart: MonthsChart }): ReactNode {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return null;
  const slot = PLOT.width / bars.length;
  const y = (height: number): number => TOP + PLOT.height * (1 - height);
  const most = Math.max(...bars.map(({ posts }) => posts));
  return (
    <Box
      component="svg"
      role="group"
      aria-label={`Bar chart of the posts per month, from ${formatLongMonth(first.month)} to ${formatLongMonth(last.month)}; at most ${numberText(most)} in a month`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      sx={{
        display: 'block',
        width: '100%',
        maxHeight: 320,
        // Text that shrinks with a phone's width would be unreadable.
        '& text': { fontSize: { xs: 22, sm: 13 }, fill: 'currentColor' },
        color: 'text.secondary',
      }}
    >
      {ticks.map(({ value, height }) => (
        <g key={value}>
          <Box
            component="line"
            x1={LEFT}
            x2={WIDTH}
            y1={y(height)}
            y2={y(height)}
            sx={{ stroke: (theme) => theme.palette.divider }}
          />
          <text x={LEFT - 8} y={y(height)} dy="0.35em" textAnchor="end">
            {numberText(value)}
          </text>
        </g>
      ))}
      {bars.map(({ month, posts, height }, index) => (
        <Fragment key={month}>
          <Box
            component={Link}
            to={listOf(month)}
            aria-label={`${formatLongMonth(month)}: ${plural(posts, '1 post', `${numberText(posts)} posts`)}`}
            sx={{ color: 'inherit', '&:focus-visible': { outline: '2px solid', outlineOffset: 2 } }}
          >
            <title>{`${formatLongMonth(month)}: ${numberText(posts)}`}</title>
            <rect x={LEFT + slot * index} width={slot} y={TOP} height={PLOT.height} fill="transparent" />
            <Box
              component="rect"
              x={LEFT + slot * (index + 0.15)}
              width={slot * 0.7}
              y={y(height)}
              height={PLOT.height * height}
              rx={3}
              sx={{ fill: (theme) => theme.palette.primary.main }}
            />
          </Box>
          <MonthLabel x={LEFT + slot * (index + 0.5)} month={month} index={index} />
        </Fragment>
      ))}
    </Box>
  );
}

/** The list of the posts of a month. */
function listOf(month: string): string {
  const { from, to } = monthRange(month);
  return `/posts?from=${from}&to=${to}`;
}

function MonthLabel({ x, month, index }: { x: number; month: string; index: number }): ReactNode {
  const showsYear = index === 0 || month.endsWith('-01');
  return (
    // A phone has room for every third label.
    <Box component="g" sx={{ display: { xs: index % 3 === 0 ? 'inline' : 'none', sm: 'inline' } }}>
      {/* Hangs below the bars, whatever the font size. */}
      <text y={HEIGHT - FOOT + 4} textAnchor="middle">
        <tspan x={x} dy="1em">
          {formatMonth(month)}
        </tspan>
        {showsYear && (
          <tspan x={x} dy="1.15em">
            {Number(month.slice(0, 4))}
          </tspan>
        )}
      </text>
    </Box>
  );
}
