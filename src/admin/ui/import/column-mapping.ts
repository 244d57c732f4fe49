import { type Field, FIELD, FIELDS } from '../api/posts.js';

/** Which column each field is taken from, from 0; a field without one is left to the service, or empty. */
export type ColumnMapping = Readonly<Partial<Record<Field, number>>>;

/** Finds the columns by the names in the first row. */
export function guessMapping(header: readonly string[]): ColumnMapping {
  const columns = header.map((name) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''));
  const found = FIELDS.flatMap((field) => {
    const name = FIELD[field].columnNames.find((each) => columns.includes(each));
    return name === undefined ? [] : [[field, columns.indexOf(name)] as const];
  });
  return Object.fromEntries(found);
}
