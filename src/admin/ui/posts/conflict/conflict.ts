import { type Content, contentWith, type Field, FIELD, FIELDS } from '../../api/posts.js';
import { mergeText } from './merge-text.js';

/** The side whose value a field takes. `both` is possible when the changes can be merged. */
export type Side = 'mine' | 'theirs' | 'both';

/** A field whose values differ between the two sides. */
export interface FieldConflict {
  readonly field: Field;
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
  /** The merged text, if the changes do not overlap. */
  readonly both: string | undefined;
  /** The choice that loses no change: the side that changed the field, or both. Undefined when the user must decide. */
  readonly proposal: Side | undefined;
}

/** Compares my content with the stored one, and both with their base. */
export function conflictsOf(base: Content, mine: Content, theirs: Content): FieldConflict[] {
  return FIELDS.filter((field) => mine[field] !== theirs[field]).map((field) => {
    const values = { base: base[field], mine: mine[field], theirs: theirs[field] };
    const both =
      FIELD[field].kind === 'text' && isChangedByBoth(values)
        ? mergeText(values.base, values.mine, values.theirs)
        : undefined;
    return { field, ...values, both, proposal: proposalFor(values, both) };
  });
}

/** Builds the content from the side chosen for each field. */
export function resolve(
  theirs: Content,
  conflicts: readonly FieldConflict[],
  chosen: Readonly<Partial<Record<Field, Side>>>,
): Content {
  return contentWith((field) => {
    const conflict = conflicts.find((each) => each.field === field);
    return conflict?.[chosen[field] ?? 'theirs'] ?? theirs[field];
  });
}

type Values = Pick<FieldConflict, 'base' | 'mine' | 'theirs'>;

function isChangedByBoth({ base, mine, theirs }: Values): boolean {
  return base !== mine && base !== theirs;
}

function proposalFor(values: Values, both: string | undefined): Side | undefined {
  if (values.mine === values.base) return 'theirs';
  if (values.theirs === values.base) return 'mine';
  return both === undefined ? undefined : 'both';
}
