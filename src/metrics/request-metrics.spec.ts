import { Histogram } from './request-metrics.js';

describe('Histogram', () => {
  it('writes buckets, sum and count of each series', () => {
    const histogram = new Histogram('size_bytes', 'How large.', [10, 100]);
    const small = histogram.series({ method: 'GET', route: '/a/' });
    for (const value of [1, 10, 11, 100, 101.5]) small.observe(value);
    histogram.series({ method: 'PUT', route: '/a/' });
    expect(histogram.text()).toBe(
      [
        '# HELP size_bytes How large.',
        '# TYPE size_bytes histogram',
        'size_bytes_bucket{le="10",method="GET",route="/a/"} 2',
        'size_bytes_bucket{le="100",method="GET",route="/a/"} 4',
        'size_bytes_bucket{le="+Inf",method="GET",route="/a/"} 5',
        'size_bytes_sum{method="GET",route="/a/"} 223.5',
        'size_bytes_count{method="GET",route="/a/"} 5',
        'size_bytes_bucket{le="10",method="PUT",route="/a/"} 0',
        'size_bytes_bucket{le="100",method="PUT",route="/a/"} 0',
        'size_bytes_bucket{le="+Inf",method="PUT",route="/a/"} 0',
        'size_bytes_sum{method="PUT",route="/a/"} 0',
        'size_bytes_count{method="PUT",route="/a/"} 0',
        '',
      ].join('\n'),
    );
  });

  it('returns the same series for the same labels', () => {
    const histogram = new Histogram('size_bytes', 'How large.', [10]);
    expect(histogram.series({ route: '/a/' })).toBe(histogram.series({ route: '/a/' }));
  });
});
