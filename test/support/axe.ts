import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface AxeFinding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds to be a serious or critical barrier on a page as it stands (WCAG 2.2 AA), a line each. It is evaluated
 * from outside: the page's policy would let no script of others in.
 */
export async function barriersOf(page: Page): Promise<string[]> {
  await page.evaluate(await source);
  const findings = await page.evaluate<AxeFinding[]>(
    `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
       .then(({ violations }) => violations)`,
  );
  return findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
    );
}
