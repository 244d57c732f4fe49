import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { type ReactNode, useState } from 'react';
import type { MonthCount } from '../../../../posts/overview/overview.service.js';
import { formatMonth } from '../../time/dates.js';
import { useTimeZone } from '../../time/time-zone.js';
import { numberText } from '../../texts/numbers.js';
import { type DayRange, monthRange, periodOf, yearRange } from './calendar.js';
import type { ListFilters } from './list-view.js';
import { useMonths } from './use-posts.js';

/** The number of years shown; a button shows the others. */
const YEARS_SHOWN = 8;

/** Navigates from all posts to a year and a month by setting the date range. */
export function Months({
  state,
  change,
}: {
  state: ListFilters;
  change: (range: DayRange) => void;
}): ReactNode {
  const { data: months = [] } = useMonths(state.search, useTimeZone());
  const [isWhole, setWhole] = useState(false);
  const shown = periodOf(state);
  const years = yearsOf(months);
  if (years.length === 0) return null;
  // A chosen year has its months in place of the other years, so that all chips are one row.
  const shownYears =
    shown.year === undefined
      ? years.slice(0, isWhole ? undefined : YEARS_SHOWN)
      : years.filter(({ year }) => year === shown.year);

  const chip = (label: string, count: number | undefined, range: DayRange): ReactNode => {
    const isChosen = state.from === range.from && state.to === range.to;
    return (
      <Chip
        key={label}
        clickable
        component="button"
        size="small"
        label={
          <>
            {label}{' '}
            {count !== undefined && (
              <Box component="span" sx={{ opacity: 0.85, fontVariantNumeric: 'tabular-nums' }}>
                ({numberText(count)})
              </Box>
            )}
          </>
        }
        color={isChosen ? 'primary' : 'default'}
        variant={isChosen ? 'filled' : 'outlined'}
        aria-pressed={isChosen}
        onClick={() => change(range)}
      />
    );
  };

  return (
    <Box component="nav" aria-label="By year and month" sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75 }}>
      {chip('All dates', undefined, { from: '', to: '' })}
      {shownYears.map(({ year, posts }) => chip(year, posts, yearRange(year)))}
      {shown.year === undefined && shownYears.length < years.length && (
        <Chip
          clickable
          component="button"
          size="small"
          variant="outlined"
          label="Earlier years"
          onClick={() => setWhole(true)}
        />
      )}
      {shown.year !== undefined &&
        months
          .filter(({ month }) => month.startsWith(`${shown.year}-`))
          .toReversed()
          .map(({ month, posts }) => chip(formatMonth(month), posts, monthRange(month)))}
    </Box>
  );
}

function yearsOf(months: readonly MonthCount[]): { year: string; posts: number }[] {
  const years = new Map<string, number>();
  for (const { month, posts } of months) {
    const year = month.slice(0, 4);
    years.set(year, (years.get(year) ?? 0) + posts);
  }
  return [...years].map(([year, posts]) => ({ year, posts }));
}
