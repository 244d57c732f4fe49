import { useSearchParams } from 'react-router';

export interface UrlFilters<Name extends string> {
  /** What the address says; empty where it says nothing. */
  readonly values: Readonly<Record<Name, string>>;
  readonly isFiltered: boolean;
  /** Puts filters into the address, where they survive a reload and can be sent to somebody. */
  readonly apply: (values: Readonly<Partial<Record<Name, string>>>) => void;
  readonly clear: () => void;
}

/** Where a page of a list stands in the address: another list begins at its first page. */
export const PLACE = ['cursor', 'start', 'end'] as const;

/** Filters of a list that are kept in the address. */
export function useUrlFilters<Name extends string>(names: readonly Name[]): UrlFilters<Name> {
  const [search, setSearch] = useSearchParams();
  const values = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<
    Name,
    string
  >;
  const apply: UrlFilters<Name>['apply'] = (changed) => {
    // As it is now: what the router hands on follows with the next rendering, and a change may come before that.
    const query = new URLSearchParams(window.location.search);
    for (const name of PLACE) query.delete(name);
    for (const [name, value] of Object.entries<string | undefined>(changed)) {
      if (value === undefined || value === '') query.delete(name);
      else query.set(name, value);
    }
    // Words that are typed are one step, not one for each pause between them.
    setSearch(query, { replace: 'search' in changed, preventScrollReset: true });
  };
  return {
    values,
    isFiltered: names.some((name) => values[name] !== ''),
    apply,
    clear: () => apply(Object.fromEntries(names.map((name) => [name, ''])) as Partial<Record<Name, string>>),
  };
}
