import { useState } from 'react';

/** What is selected: single posts, or all that match the list's filter, whichever page they are on. */
export type Selection =
  { readonly kind: 'some'; readonly ids: ReadonlySet<number> } | { readonly kind: 'all' };

export const NOTHING: Selection = { kind: 'some', ids: new Set() };

export function isSelected(selection: Selection, id: number): boolean {
  return selection.kind === 'all' || selection.ids.has(id);
}

export function isNothing(selection: Selection): boolean {
  return selection.kind === 'some' && selection.ids.size === 0;
}

/** The selection after rows were ticked or unticked. Without one row "all" is the rest of what is on the page. */
export function withRows(
  selection: Selection,
  ids: readonly number[],
  isOn: boolean,
  pageIds: readonly number[],
): Selection {
  const selected = new Set(selection.kind === 'all' ? pageIds : selection.ids);
  for (const id of ids) {
    if (isOn) selected.add(id);
    else selected.delete(id);
  }
  return { kind: 'some', ids: selected };
}

/** A selection that ends with the list it was made in: nothing is deleted that one no longer sees. */
export function useSelection(listKey: string): [Selection, (selection: Selection) => void] {
  const [kept, keep] = useState({ listKey, selection: NOTHING });
  const selection = kept.listKey === listKey ? kept.selection : NOTHING;
  return [selection, (next) => keep({ listKey, selection: next })];
}
