import type { Plugin } from './system.js';

type Json = Readonly<Record<string, unknown>>;

const FORM = 'application/x-www-form-urlencoded';

/** Bodies are typed into a form, unless another of their media types is chosen. Programs read JSON first. */
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
