import type { Counter, Gauge, Registry } from 'prom-client';

type Values = number | Readonly<Record<string, number>>;

/**
 * Registers a metric whose values are read when Prometheus asks.
 *
 * @param label the label's name, where there is one number for each of its values
 * @param values a metric whose values cannot be read is left out
 */
export function show(
  registry: Registry,
  Metric: typeof Counter | typeof Gauge,
  name: string,
  help: string,
  label: string | undefined,
  values: () => Values | Promise<Values>,
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
