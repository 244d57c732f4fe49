import { type Field, FIELD, FIELDS } from '../api/posts.js';

/** The column of each field, from 0. A field without a column gets the service's default, or is empty. */
export type ColumnMapping = Readonly<Partial<Record<Field, number>>>;

/** Matches columns to fields by the names in the first row. */
export function guessMapping(header: readonly string[]): ColumnMapping {
  const columns = header.map((name) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''));
  const found = FIELDS.flatMap((field) => {
    const name = FIELD[field].columnNames.find((each) => columns.includes(each));
    return name === undefined ? [] : [[field, columns.indexOf(name)] as const];
  });
  return Object.fromEntries(found);
}
