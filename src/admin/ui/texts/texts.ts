import { en } from './en.js';

/** The path of a text in `en`: `posts.title`. */
export type TextKey = Keys<typeof en>;

type Keys<T, Before extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Before}${K}` : Keys<T[K], `${Before}${K}.`>;
}[keyof T & string];

export type TextValues = Readonly<Record<string, string | number>>;

const PLURALS = new Intl.PluralRules('en');

/**
 * Returns the text of a key, with the values of its `%{name}` placeholders. A text that depends on a number has a
 * singular and a plural form, separated by ` |||| `; `smart_count` is the number.
 */
export function t(key: TextKey, values: TextValues = {}): string {
  const [one = '', others = one] = textAt(key).split(' |||| ');
  const count = values['smart_count'];
  const text = count === undefined || PLURALS.select(Number(count)) === 'one' ? one : others;
  return text.replaceAll(/%\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

function textAt(key: TextKey): string {
  let text: unknown = en;
  for (const name of key.split('.')) text = (text as Record<string, unknown>)[name];
  return text as string;
}
