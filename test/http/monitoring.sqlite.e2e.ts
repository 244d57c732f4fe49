import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

const FOLDER = join(import.meta.dirname, '../../docs');

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly query: string }[] };
}

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { readonly runbook: string };
    }[];
  }[];
}

const read = (name: string): Promise<string> => readFile(join(FOLDER, name), 'utf8');
const dashboard = JSON.parse(await read('monitoring/grafana-dashboard.json')) as Dashboard;
const rules = (parse(await read('monitoring/prometheus-alerts.yaml')) as Rules).groups.flatMap(
  (group) => group.rules,
);

/** A series that Prometheus itself creates, and one for replicas, which SQLite does not have. */
const OTHER_SERIES = new Set(['up', 'database_replica_used']);

/** The metric names in a PromQL expression: the names before `{` or `[`. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/"[^"]*"/g, '""').replaceAll(/\b(?:by|on|without) *\([^)]*\)/g, '');
  return [...bare.matchAll(/\b([a-z][a-z0-9_]*)(?=[{[])/g)].map(([, name]) => name!);
}

/** The label names in an expression, such as `status` or `route`. */
function labelsIn(expression: string): string[] {
  return [...expression.matchAll(/[{,]\s*([a-z]+)(?:=~|=|!=)/g)].map(([, name]) => name!);
}

const expressions: [string, string][] = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): [string, string] => [`panel: ${title}`, expr]),
  ),
  ...rules.map(({ alert, expr }): [string, string] => [`alert: ${alert}`, expr]),
];

describe('the dashboard and the alerts', () => {
  let shown: string;
  beforeAll(async () => {
    const service = await startService();
    const { path } = await service.create();
    await service.get(path);
    await service.get(path);
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    // The collector's series appear with the first collection.
    await until(async () => {
      collectGarbage();
      shown = (await service.get('/metrics')).text;
      return shown.includes('\nnodejs_gc_duration_seconds_sum{');
    });
  });

  it.each(expressions)('use only metrics and labels of /metrics: %s', (_, expression) => {
    const names = metricsIn(expression);
    expect(names).not.toEqual([]);
    for (const name of names) {
      if (!OTHER_SERIES.has(name)) expect(shown).toMatch(new RegExp(`^${name}[{ ]`, 'm'));
    }
    for (const label of labelsIn(expression)) {
      if (!['job', 'instance'].includes(label)) expect(shown).toMatch(new RegExp(`[{,]${label}="`));
    }
  });

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
