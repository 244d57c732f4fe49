import { type ReactNode, useRef } from 'react';

/** The selected rows of a table, and how to change them. */
export interface RowSelection<Row> {
  readonly isSelected: (row: Row) => boolean;
  readonly onSelect: (rows: readonly Row[], isOn: boolean) => void;
  readonly labelOf: (row: Row) => string;
  readonly labelOfAll: string;
}

/** Selects a row, or the range from the row that was last clicked. */
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
  /** `isRange`: Shift was held, with the pointer or the space key. */
  readonly onChange: (isOn: boolean, isRange: boolean) => void;
}

/** The label around the checkbox makes the click target large enough for a finger. */
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
const BOX = { width: 18, height: 18, margin: 0 } as const;
