import { monthsChart } from './months-chart.js';

describe('monthsChart', () => {
  it('scales each bar to the top of the axis', () => {
    const counts = [
      { month: '2025-12', posts: 4 },
      { month: '2026-01', posts: 0 },
      { month: '2026-02', posts: 3 },
    ];
    expect(monthsChart(counts).bars).toEqual([
      { month: '2025-12', posts: 4, height: 1 },
      { month: '2026-01', posts: 0, height: 0 },
      { month: '2026-02', posts: 3, height: 0.75 },
    ]);
  });

  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6]],
    [12, [0, 5, 10, 15]],
    [40, [0, 10, 20, 30, 40]],
    [41, [0, 20, 40, 60]],
    [83_333, [0, 50_000, 100_000]],
    [1_000_000, [0, 500_000, 1_000_000]],
  ])('has round numbers on the axis for %d posts', (posts, values) => {
    const { ticks } = monthsChart([{ month: '2026-01', posts }]);
    expect(ticks.map(({ value }) => value)).toEqual(values);
    expect(ticks[0]!.height).toBe(0);
    expect(ticks.at(-1)!.height).toBe(1);
  });
});
