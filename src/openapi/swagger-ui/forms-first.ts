import type { Plugin } from './system.js';

type Json = Readonly<Record<string, unknown>>;

const FORM = 'application/x-www-form-urlencoded';

/**
 * Puts the form first among the media types of a body, as the default. The document itself lists JSON first, for
 * programs.
 */
export const formsFirst: Plugin = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (original: (document: Json) => unknown) => (document: Json) =>
          original(withFormsFirst(document) as Json),
      },
    },
  },
});

function withFormsFirst(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withFormsFirst);
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([name, value]) => [name, withFormsFirst(value)] as const);
  const isForm = ([name]: readonly [string, unknown]): boolean => name === FORM;
  return Object.fromEntries([...entries.filter(isForm), ...entries.filter((entry) => !isForm(entry))]);
}
