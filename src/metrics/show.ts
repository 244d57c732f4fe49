import type { Counter, Gauge, Registry } from 'prom-client';

type Values = number | Readonly<Record<string, number>>;

interface Shown {
  readonly name: string;
  readonly help: string;
  /** The label's name, where there is one number for each of its values. */
  readonly label?: string;
  /** A metric whose values cannot be read is left out. */
  readonly values: () => Values | Promise<Values>;
}

/** Registers a metric whose values are read when Prometheus asks. */
export function show(
  registry: Registry,
  Metric: typeof Counter | typeof Gauge,
  { name, help, label, values }: Shown,
): void {
  const metric = new Metric({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    collect: async () => {
      const current = await values();
      metric.reset();
      if (typeof current === 'number') metric.inc(current);
      else for (const [value, count] of Object.entries(current)) metric.inc({ [label!]: value }, count);
    },
  });
}
