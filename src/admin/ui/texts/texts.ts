import polyglotI18nProvider from 'ra-i18n-polyglot';
import reactAdminEnglish from 'ra-language-english';
import { useCallback } from 'react';
import { useTranslate } from 'react-admin';
import { en } from './en.js';

/** `posts.title`: the way to a text in `en`. */
export type TextKey = Keys<typeof en>;

type Keys<T, Before extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Before}${K}` : Keys<T[K], `${Before}${K}.`>;
}[keyof T & string];

export type TextValues = Readonly<Record<string, string | number>>;

/** react-admin's own texts are under `ra`. */
export const i18nProvider = polyglotI18nProvider(
  () => ({ ...reactAdminEnglish, ...en }),
  'en',
  [{ locale: 'en', name: 'English' }],
  // A key that is missing cannot be compiled; polyglot need not warn of react-admin's.
  { allowMissing: true },
);

/** Gives the texts of the chosen language: `t('posts.title')`. Where a text depends on a number, that is `smart_count`. */
export function useTexts(): (key: TextKey, values?: TextValues) => string {
  const translate = useTranslate();
  return useCallback((key, values) => translate(key, values), [translate]);
}
