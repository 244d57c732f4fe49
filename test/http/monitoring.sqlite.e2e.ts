import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startService } from '../support/service.js';

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly query: string }[] };
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly runbook: string };
}

const read = (name: string): Promise<string> =>
  readFile(join(import.meta.dirname, '../../docs', name), 'utf8');
const dashboard = JSON.parse(await read('monitoring/grafana-dashboard.json')) as Dashboard;
const alerts = parse(await read('monitoring/prometheus-alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = alerts.groups.flatMap((group) => group.rules);

/** Series that Prometheus creates, that need replicas, or that appear with the first garbage collection. */
const OTHER_SERIES = ['up', 'database_replica_used', 'nodejs_gc_duration_seconds_sum'];

/** The metric names in a PromQL expression: the names before `{` or `[`. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/"[^"]*"/g, '""').replaceAll(/\b(?:by|on|without) *\([^)]*\)/g, '');
  return [...bare.matchAll(/\b([a-z][a-z0-9_]*)(?=[{[])/g)].map(([, name]) => name!);
}

/** The label names in an expression, such as `status` or `route`. */
function labelsIn(expression: string): string[] {
  return [...expression.matchAll(/[{,]\s*([a-z]+)(?:=~|=|!=)/g)].map(([, name]) => name!);
}

const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr]),
);

describe('the dashboard and the alerts', () => {
  let shown: string;
  beforeAll(async () => {
    const service = await startService();
    const { path } = await service.create();
    await service.get(path);
    shown = (await service.get('/metrics')).text;
  });

  it.each([...panels, ...rules.map(({ alert, expr }) => [alert, expr])] as [string, string][])(
    'use only metrics and labels of /metrics: %s',
    (_, expression) => {
      const names = metricsIn(expression);
      expect(names).not.toEqual([]);
      for (const name of names) {
        if (!OTHER_SERIES.includes(name)) expect(shown).toMatch(new RegExp(`^${name}[{ ]`, 'm'));
      }
      for (const label of labelsIn(expression)) {
        if (!['job', 'instance'].includes(label)) expect(shown).toMatch(new RegExp(`[{,]${label}="`));
      }
    },
  );

  it('select instances by a metric of /metrics', () => {
    for (const { query } of dashboard.templating.list.slice(1)) {
      const [, name] = /label_values\((\w+)/.exec(query)!;
      expect(shown).toMatch(new RegExp(`^${name} `, 'm'));
    }
  });

  it('link each alert to its section in docs/operations.md', async () => {
    const operations = await read('operations.md');
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
      expect(operations).toContain(`### ${alert}\n`);
    }
  });
});
