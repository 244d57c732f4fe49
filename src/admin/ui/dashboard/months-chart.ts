import type { MonthCount } from '../../../posts/overview/overview.service.js';

/** A tick of the axis. */
export interface Tick {
  readonly value: number;
  /** From 0 at the bottom of the chart to 1 at the top. */
  readonly height: number;
}

export interface MonthsChart {
  readonly bars: readonly (MonthCount & { readonly height: number })[];
  /** In ascending order from 0. */
  readonly ticks: readonly Tick[];
}

const STEPS = [1, 2, 5];
const MOST_STEPS = 4;

/** Lays out the counts, in their order. */
export function monthsChart(counts: readonly Readonly<MonthCount>[]): MonthsChart {
  const most = Math.max(1, ...counts.map(({ posts }) => posts));
  const step = stepFor(most);
  const top = Math.ceil(most / step) * step;
  return {
    bars: counts.map((each) => ({ ...each, height: each.posts / top })),
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
