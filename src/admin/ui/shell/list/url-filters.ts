import { useSearchParams } from 'react-router';
import type { Query } from '../../api/api.js';
import { isTimeZone, useTimeZone } from '../../time/time-zone.js';

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
  /** The time zone of the days: that of the URL, so that a shared link has the same rows everywhere, or the chosen one. */
  readonly zone: string;
  /** Writes filters to the URL, so that they survive a reload and can be shared. */
  readonly apply: (values: Readonly<Partial<Record<Name, string>>>) => void;
  readonly clear: () => void;
}

/** The URL parameter of the time zone in which the days of the filters were chosen. */
export const ZONE = 'zone';

/** The URL parameters of the position in a list. A changed list starts at its first page. */
export const PLACE = ['cursor', 'start'] as const;

/** Returns the place in the list that the URL names: the number of the first row, from 1, and whether it is the first page. */
export function usePlace(): { readonly start: number; readonly isFirst: boolean } {
  const [search] = useSearchParams();
  const start = Number(search.get('start') ?? 1);
  return {
    start: Number.isSafeInteger(start) && start > 0 ? start : 1,
    isFirst: !PLACE.some((name) => search.has(name)),
  };
}

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
  const chosenZone = useTimeZone();
  const linkedZone = search.get(ZONE);
  const zone = linkedZone !== null && isTimeZone(linkedZone) ? linkedZone : chosenZone;
  const entries = fields.map(({ name }) => [name, search.get(name) ?? '']);
  const values = Object.fromEntries(entries) as Record<Name, string>;
  // Typing is one history entry, not one per pause.
  const isTyped = ({ name, kind }: FilterField<Name>): boolean =>
    kind === 'search' || kind === 'text' || (kind === 'day' && values[name] !== '');
  const apply: UrlFilters<Name>['apply'] = (changed) => {
    // See `useChangeParameters` about `window.location`.
    const query = new URLSearchParams(window.location.search);
    const hasDays = fields.some(
      ({ name, kind }) => kind === 'day' && (changed[name] ?? query.get(name) ?? '') !== '',
    );
    const replace = fields.some((field) => field.name in changed && isTyped(field));
    change({ ...changed, [ZONE]: hasDays ? zone : '' }, { replace });
  };
  return {
    fields,
    values,
    isFiltered: fields.some(({ name }) => values[name] !== ''),
    zone,
    apply,
    clear: () => change(Object.fromEntries([...fields.map(({ name }) => [name, '']), [ZONE, '']])),
  };
}
