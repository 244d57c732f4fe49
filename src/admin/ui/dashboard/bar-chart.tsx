import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { formatLongMonth, formatMonth } from '../time/dates.js';
import { numberText } from '../texts/numbers.js';
import { t } from '../texts/texts.js';
import type { MonthsChart } from './months-chart.js';

/** The drawing's own units; it is shown as wide as there is room. */
const WIDTH = 720;
const HEIGHT = 236;
const LEFT = 64;
const TOP = 20;
const FOOT = 60;
const PLOT = { width: WIDTH - LEFT, height: HEIGHT - TOP - FOOT };

/** A picture to those who see it, one sentence to those who do not; the numbers are in the table beside it. */
export function BarChart({ chart: { bars, ticks } }: { chart: MonthsChart }): ReactNode {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return null;
  const slot = PLOT.width / bars.length;
  const y = (height: number): number => TOP + PLOT.height * (1 - height);
  const most = Math.max(...bars.map(({ posts }) => posts));
  return (
    <Box
      component="svg"
      role="img"
      aria-label={t('dashboard.monthsChart', {
        first: formatLongMonth(first.month),
        last: formatLongMonth(last.month),
        most: numberText(most),
      })}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      sx={{
        display: 'block',
        width: '100%',
        maxHeight: 320,
        // Text that scales with a phone's width could not be read.
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
        <g key={month}>
          <title>{`${formatLongMonth(month)}: ${numberText(posts)}`}</title>
          <Box
            component="rect"
            x={LEFT + slot * (index + 0.15)}
            width={slot * 0.7}
            y={y(height)}
            height={PLOT.height * height}
            rx={3}
            sx={{ fill: (theme) => theme.palette.primary.main }}
          />
          <MonthLabel x={LEFT + slot * (index + 0.5)} month={month} isFirst={index === 0} index={index} />
        </g>
      ))}
    </Box>
  );
}

function MonthLabel({
  x,
  month,
  isFirst,
  index,
}: {
  x: number;
  month: string;
  isFirst: boolean;
  index: number;
}): ReactNode {
  const showsYear = isFirst || month.endsWith('-01');
  return (
    // On a phone there is room for every third name.
    <Box component="g" sx={{ display: { xs: index % 3 === 0 ? 'inline' : 'none', sm: 'inline' } }}>
      {/* From below the bars downwards, whatever the size of the letters. */}
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
