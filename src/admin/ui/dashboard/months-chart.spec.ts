import { monthsChart } from './months-chart.js';

describe('monthsChart', () => {
  it('shows twelve months up to the newest, those without posts too', () => {
    const { bars } = monthsChart([
      { month: '2026-02', posts: 3 },
      { month: '2025-12', posts: 4 },
      { month: '2025-01', posts: 9 },
    ]);
    expect(bars.map(({ month }) => month)).toEqual([
      '2025-03',
      '2025-04',
      '2025-05',
      '2025-06',
      '2025-07',
      '2025-08',
      '2025-09',
      '2025-10',
      '2025-11',
      '2025-12',
      '2026-01',
      '2026-02',
    ]);
    expect(bars.filter(({ posts }) => posts > 0)).toEqual([
      { month: '2025-12', posts: 4, height: 1 },
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

  it('is empty without posts, and has no month before the year 1', () => {
    expect(monthsChart([])).toEqual({ bars: [], ticks: [] });
    expect(monthsChart([{ month: '0001-02', posts: 1 }]).bars.map(({ month }) => month)).toEqual([
      '0001-01',
      '0001-02',
    ]);
  });
});
