import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface AxeFinding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/**
 * What axe finds to be a serious or critical barrier on a page as it stands (WCAG 2.2 AA), a line each. It is evaluated
 * from outside: the page's policy would let no script of others in.
 */
export async function barriersOf(page: Page): Promise<string[]> {
  // What fades in or out has other colours meanwhile. (A spinner never ends.)
  await page.evaluate(`Promise.allSettled(
    document
      .getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished)
  )`);
  await page.evaluate(axe.source);
  const findings = await page.evaluate<AxeFinding[]>(
    // Style sheets that are loaded again by axe would need an inline style.
    `axe.run({ preload: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
       .then(({ violations }) => violations)`,
  );
  return findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
    );
}
