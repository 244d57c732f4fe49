import { type ReactNode, useRef } from 'react';

/** Which rows of a table are selected, and how that changes. */
export interface RowSelection<Row> {
  readonly isSelected: (row: Row) => boolean;
  readonly onSelect: (rows: readonly Row[], isOn: boolean) => void;
  readonly labelOf: (row: Row) => string;
  readonly labelOfAll: string;
}

/** Selects a row; with a range, all from the one that was pressed before it. */
export function useRanges<Row>(
  rows: readonly Row[],
  selection: RowSelection<Row> | undefined,
): (index: number, isOn: boolean, isRange: boolean) => void {
  const last = useRef<Row>(undefined);
  return (index, isOn, isRange) => {
    const from = isRange && last.current !== undefined ? rows.indexOf(last.current) : -1;
    const [first, end] = from < 0 ? [index, index] : [Math.min(from, index), Math.max(from, index)];
    last.current = rows[index];
    selection?.onSelect(rows.slice(first, end + 1), isOn);
  };
}

export interface RowCheckboxProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly isSome?: boolean;
  /** With Shift, by pointer or by the space key, a range is meant. */
  readonly onChange: (isOn: boolean, isRange: boolean) => void;
}

/** The label around the box makes what can be pressed as large as a finger needs it. */
export function RowCheckbox({ label, isChecked, isSome = false, onChange }: RowCheckboxProps): ReactNode {
  return (
    <label style={TARGET}>
      <input
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        ref={(input) => {
          if (input) input.indeterminate = isSome;
        }}
        onChange={({ target, nativeEvent }) =>
          onChange(target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
        style={BOX}
      />
    </label>
  );
}

const TARGET = {
  display: 'inline-grid',
  placeItems: 'center',
  width: 28,
  height: 28,
  margin: '-4px 0 -4px -4px',
} as const;
const BOX = { width: 18, height: 18, margin: 0, accentColor: 'currentColor' } as const;
