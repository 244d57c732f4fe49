import { useState } from 'react';
import { quoted } from '../../texts/texts.js';
import type { RowSelection } from './row-selection.js';

/** The selection: single posts, or all that match the filter, on every page. */
export type Selection =
  { readonly kind: 'some'; readonly ids: ReadonlySet<number> } | { readonly kind: 'all' };

export const NOTHING: Selection = { kind: 'some', ids: new Set() };

export function isSelected(selection: Selection, id: number): boolean {
  return selection.kind === 'all' || selection.ids.has(id);
}

export function isNothing(selection: Selection): boolean {
  return selection.kind === 'some' && selection.ids.size === 0;
}

/**
 * Returns the selection after rows were selected or deselected. Deselecting a row of "all" leaves the other rows of the
 * page.
 */
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

/** A selection that is cleared when the list changes, so that no invisible post is deleted. */
export function useSelection(listKey: string): [Selection, (selection: Selection) => void] {
  const [kept, keep] = useState({ listKey, selection: NOTHING });
  const selection = kept.listKey === listKey ? kept.selection : NOTHING;
  return [selection, (next) => keep({ listKey, selection: next })];
}

/** Adapts a selection of posts to the table. */
export function rowSelection<Row extends { readonly id: number; readonly title: string }>(
  rows: readonly Row[],
  selection: Selection,
  select: (selection: Selection) => void,
  titleOf: (title: string) => string = String,
): RowSelection<Row> {
  const idsOf = (some: readonly Row[]): number[] => some.map(({ id }) => id);
  return {
    isSelected: ({ id }) => isSelected(selection, id),
    onSelect: (some, isOn) => select(withRows(selection, idsOf(some), isOn, idsOf(rows))),
    labelOf: ({ title }) => `Select ${quoted(titleOf(title))}`,
    labelOfAll: 'Select all posts on this page',
  };
}
