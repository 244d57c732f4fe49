import type { MonthCount } from '../api/posts.js';

/** A tick of the axis. */
export interface Tick {
  readonly value: number;
  /** From 0 at the bottom of the chart to 1 at the top. */
  readonly height: number;
}

export interface MonthsChart {
  /** Oldest first. A month without posts has count 0. */
  readonly bars: readonly (MonthCount & { readonly height: number })[];
  /** In ascending order from 0. */
  readonly ticks: readonly Tick[];
}

const STEPS = [1, 2, 5];
const MOST_STEPS = 4;

/** Lays out the newest twelve months. The counts contain only months with posts. */
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

/** Returns the smallest round step that reaches `most` in a few ticks. */
function stepFor(most: number): number {
  for (let power = 1; ; power *= 10) {
    const step = STEPS.map((each) => each * power).find((each) => each * MOST_STEPS >= most);
    if (step !== undefined) return step;
  }
}

/** Returns undefined before year 0001. */
function monthBefore(month: string, months: number): string | undefined {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const index = year * 12 + (number - 1) - months;
  if (index < 12) return undefined;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}
