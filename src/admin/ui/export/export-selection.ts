import type { PostFilter } from '../posts/list/list-view.js';

/** The filters of the list. */
const FILTERS = ['search', 'pub_date_after', 'pub_date_before'] as const;

/** What to export, as the address says: chosen posts, those that match filters, or all. */
export interface ExportSelection {
  /** Undefined unless single posts were chosen. */
  readonly ids: readonly number[] | undefined;
  readonly filter: Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;
  /** Whether the address has a list of ids that cannot be read. It means some posts, and never all of them. */
  readonly isBroken: boolean;
}

/**
 * The path of the export page for a selection: filters, or ids separated by commas. Ids are in the fragment, which a
 * browser never sends: thousands of them would exceed what servers take as an address.
 */
export function exportPath({ id, ...filter }: PostFilter): string {
  const query = new URLSearchParams(filter).toString();
  return `/export${query && `?${query}`}${id === undefined ? '' : `#id=${id}`}`;
}

/** Reads the selection from the address, so that a new tab, a reload and a copied address have the same posts. */
export function readExportSelection(search: string, hash: string): ExportSelection {
  const query = new URLSearchParams(search);
  // Earlier versions had the id of a single post in the query.
  const list = new URLSearchParams(hash.slice(1)).get('id') ?? query.get('id');
  const isBroken = hash.length > 1 && list === null;
  const ids = list?.split(',').map((id) => (/^[1-9]\d*$/.test(id) ? Number(id) : Number.NaN));
  return {
    ids,
    filter: Object.fromEntries(
      FILTERS.flatMap((name) => (query.has(name) ? [[name, query.get(name)!]] : [])),
    ),
    isBroken: isBroken || (ids?.some((id) => !Number.isSafeInteger(id)) ?? false),
  };
}
