import { type RefObject, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** About a screenful of rows. A browser takes some 20 ms to show them. */
const SLICE = 25;
/** The height of a row before one was seen. */
const ROW_HEIGHT = 54;

export interface Slices<Row> {
  /** The rows that are shown so far. */
  readonly shown: readonly Row[];
  /** For the element around the rows: it has the height of all of them from the beginning, so that no scroll position is lost. */
  readonly container: RefObject<HTMLDivElement | null>;
}

/**
 * Shows a screenful of rows at once, and the others slice by slice in the next frames: hundreds of rows at once would block
 * the browser. A new list starts with its first slice. When rows of a list are changed, added or removed, it shows as many as
 * before.
 */
export function useSlices<Row>(rows: readonly Row[], keyOf: (row: Row) => string | number): Slices<Row> {
  const [{ of, count }, setSlices] = useState({ of: rows, count: SLICE });
  if (of !== rows) setSlices({ of: rows, count: isSameList(of, rows, keyOf) ? count : SLICE });
  const isPartial = count < rows.length;
  const container = useRef<HTMLDivElement>(null);
  const rowHeight = useRef(ROW_HEIGHT);

  useLayoutEffect(() => {
    container.current!.style.minHeight = isPartial ? `${rows.length * rowHeight.current}px` : '';
  }, [isPartial, rows.length]);

  useEffect(() => {
    if (!isPartial) {
      rowHeight.current = container.current!.offsetHeight / Math.max(1, rows.length);
      return undefined;
    }
    const frame = requestAnimationFrame(() => {
      startTransition(() => setSlices({ of: rows, count: count + SLICE }));
    });
    return () => cancelAnimationFrame(frame);
  }, [isPartial, rows, count]);

  return { shown: isPartial ? rows.slice(0, count) : rows, container };
}

/** Whether most rows of a list were in the list before. */
function isSameList<Row>(
  before: readonly Row[],
  rows: readonly Row[],
  keyOf: (row: Row) => string | number,
): boolean {
  const keys = new Set(before.map(keyOf));
  return rows.filter((row) => keys.has(keyOf(row))).length * 2 > rows.length;
}
