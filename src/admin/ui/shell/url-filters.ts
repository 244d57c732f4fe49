import { useSearchParams } from 'react-router';

export interface UrlFilters<Name extends string> {
  /** What the address says; empty where it says nothing. */
  readonly values: Readonly<Record<Name, string>>;
  readonly isFiltered: boolean;
  /** Puts filters into the address, where they survive a reload and can be sent to somebody. */
  readonly apply: (values: Readonly<Partial<Record<Name, string>>>) => void;
}

/** Filters of a list that are kept in the address. Another filter begins at the first page. */
export function useUrlFilters<Name extends string>(names: readonly Name[]): UrlFilters<Name> {
  const [search, setSearch] = useSearchParams();
  const values = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<
    Name,
    string
  >;
  return {
    values,
    isFiltered: names.some((name) => values[name] !== ''),
    apply: (changed) => {
      // As it is now: what the router hands on follows with the next rendering, and a change may come before that.
      const query = new URLSearchParams(window.location.search);
      query.delete('cursor');
      for (const [name, value] of Object.entries<string | undefined>(changed)) {
        if (value === undefined || value === '') query.delete(name);
        else query.set(name, value);
      }
      setSearch(query);
    },
  };
}
