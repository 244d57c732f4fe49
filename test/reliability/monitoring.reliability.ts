import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { startService } from '../support/service.js';

const RULES = join(import.meta.dirname, '../../docs/monitoring/prometheus-alerts.yaml');

/** Runs promtool, of Debian's package `prometheus`. */
function promtool(args: readonly string[], input?: string): { status: number | null; output: string } {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { status, output: `${error?.message ?? ''}${stdout}${stderr}` };
}

describe('promtool', () => {
  it('accepts the metrics and their names', async () => {
    const service = await startService();
    const { path } = await service.create();
    await service.get(path);
    const { text } = await service.get('/metrics');
    expect(promtool(['check', 'metrics'], text)).toEqual({ status: 0, output: '' });
  });

  it('accepts the alert rules', () => {
    expect(promtool(['check', 'rules', RULES])).toMatchObject({ status: 0 });
  });
});
