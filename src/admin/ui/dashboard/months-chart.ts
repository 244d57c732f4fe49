import type { MonthCount } from '../api/posts.js';

/** A number on the axis. */
export interface Tick {
  readonly value: number;
  /** From 0 at the foot of the chart to 1 at its top. */
  readonly height: number;
}

export interface MonthsChart {
  /** Oldest first, without a gap: a month without posts is one with 0. */
  readonly bars: readonly (MonthCount & { readonly height: number })[];
  /** From 0 upwards. */
  readonly ticks: readonly Tick[];
}

const STEPS = [1, 2, 5];
const MOST_STEPS = 4;

/** Lays out the newest twelve months, from the counts of those that have posts. */
export function monthsChart(counts: readonly MonthCount[], months = 12): MonthsChart {
  const byMonth = new Map(counts.map(({ month, posts }) => [month, posts]));
  const newest = [...byMonth.keys()].toSorted().at(-1);
  if (newest === undefined) return { bars: [], ticks: [] };
  const names = Array.from({ length: months }, (_, index) => monthBefore(newest, months - 1 - index)).filter(
    (month) => month !== undefined,
  );
  const shown = names.map((month) => ({ month, posts: byMonth.get(month) ?? 0 }));
  const most = Math.max(1, ...shown.map(({ posts }) => posts));
  const step = stepFor(most);
  const top = Math.ceil(most / step) * step;
  return {
    bars: shown.map((each) => ({ ...each, height: each.posts / top })),
    ticks: Array.from({ length: top / step + 1 }, (_, index) => ({
      value: index * step,
      height: (index * step) / top,
    })),
  };
}

/** The smallest round number that reaches `most` in a few steps. */
function stepFor(most: number): number {
  for (let power = 1; ; power *= 10) {
    const step = STEPS.map((each) => each * power).find((each) => each * MOST_STEPS >= most);
    if (step !== undefined) return step;
  }
}

/** Years are 0001 to 9999; before them there is no month. */
function monthBefore(month: string, months: number): string | undefined {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const index = year * 12 + (number - 1) - months;
  if (index < 12) return undefined;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}
