import axe, { type ImpactValue, type Result } from 'axe-core';
import type { Page } from 'playwright-core';

/** Of every level: WCAG 2.2 AA, and best practices. */
const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules that look at colours: a page has the same elements, names and roles in all of them. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** The colours that a user may have. */
const COLOURS = [
  { colorScheme: 'light' },
  { colorScheme: 'dark' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const;

/** The accessibility violations of a page, with the colours in which it has them. It follows the colours as it is shown. */
export async function barriersInAllColours(page: Page): Promise<string[]> {
  const barriers: string[] = [];
  for (const [index, colours] of COLOURS.entries()) {
    await page.emulateMedia({ forcedColors: 'none', ...colours });
    // The page has drawn itself in its new colours.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const found = await barriersOf(page, undefined, index === 0 ? ALL_RULES : COLOUR_RULES);
    barriers.push(...found.map((barrier) => `${JSON.stringify(colours)}: ${barrier}`));
  }
  await page.emulateMedia({ colorScheme: null, forcedColors: null });
  return barriers;
}

/**
 * The accessibility violations (WCAG 2.2 AA and best practices, of every impact by default) that axe finds on the page,
 * one per line. axe is injected through the debugging protocol, because the page's Content-Security-Policy blocks
 * foreign scripts.
 */
export async function barriersOf(
  page: Page,
  impacts?: readonly (ImpactValue | undefined)[],
  rules: readonly string[] = ALL_RULES,
): Promise<string[]> {
  // Rows of the previous page are shown in weaker colours until the next page is there.
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  // Colours differ during a fade. (A spinner never ends, so it is not awaited.)
  await page.evaluate(`Promise.allSettled(
    document
      .getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished)
  )`);
  await page.evaluate(`globalThis.axe || (() => { ${axe.source} })()`);
  const findings = await page.evaluate<Result[]>(
    // With `preload`, axe loads the style sheets again, which needs an inline style.
    `axe.run({ preload: false, runOnly: ${JSON.stringify(rules)} })
       .then(({ violations }) => violations)`,
  );
  return findings
    .filter(({ impact }) => impacts?.includes(impact) ?? true)
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
    );
}
