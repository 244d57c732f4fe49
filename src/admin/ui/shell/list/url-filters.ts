import { useSearchParams } from 'react-router';
import type { Query } from '../../api/api.js';

/** A filter of a list. Its name is the name of its URL parameter. */
export interface FilterField<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly kind: 'search' | 'text' | 'day' | 'choice';
  /** The options: their labels by value. */
  readonly options?: Readonly<Record<string, string>>;
}

export interface UrlFilters<Name extends string> {
  readonly fields: readonly FilterField<Name>[];
  /** The values in the URL; empty if missing. */
  readonly values: Readonly<Record<Name, string>>;
  readonly isFiltered: boolean;
  /** Writes filters to the URL, so that they survive a reload and can be shared. */
  readonly apply: (values: Readonly<Partial<Record<Name, string>>>) => void;
  readonly clear: () => void;
}

/** The URL parameters of the position in a list. A changed list starts at its first page. */
export const PLACE = ['cursor', 'start'] as const;

/** Changes parameters of the URL; empty values remove them. The list starts at its first page, unless it is kept. */
export type ChangeParameters = (
  changed: Query,
  options?: { readonly replace?: boolean; readonly keepsPlace?: boolean },
) => void;

export function useChangeParameters(): ChangeParameters {
  const [, setSearch] = useSearchParams();
  return (changed, { replace = false, keepsPlace = false } = {}) => {
    // Read from `window.location`: the router's parameters are updated only at the next render, and a change may come
    // before that.
    const query = new URLSearchParams(window.location.search);
    if (!keepsPlace) for (const name of PLACE) query.delete(name);
    for (const [name, value = ''] of Object.entries(changed)) {
      if (value === '') query.delete(name);
      else query.set(name, String(value));
    }
    setSearch(query, { replace });
  };
}

/** Keeps the filters of a list in the URL. */
export function useUrlFilters<Name extends string>(fields: readonly FilterField<Name>[]): UrlFilters<Name> {
  const [search] = useSearchParams();
  const change = useChangeParameters();
  const entries = fields.map(({ name }) => [name, search.get(name) ?? '']);
  const values = Object.fromEntries(entries) as Record<Name, string>;
  // Typing is one history entry, not one per pause.
  const isTyped = ({ name, kind }: FilterField<Name>): boolean =>
    kind === 'search' || kind === 'text' || (kind === 'day' && values[name] !== '');
  const apply: UrlFilters<Name>['apply'] = (changed) =>
    change(changed, { replace: fields.some((field) => field.name in changed && isTyped(field)) });
  return {
    fields,
    values,
    isFiltered: fields.some(({ name }) => values[name] !== ''),
    apply,
    clear: () => change(Object.fromEntries(fields.map(({ name }) => [name, '']))),
  };
}
