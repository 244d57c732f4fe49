import { type Content, contentWith, type Field, FIELD, FIELDS } from '../../api/posts.js';
import { mergeText } from './merge-text.js';

/** Whose value a field takes. `both` is there when both changes fit together. */
export type Side = 'mine' | 'theirs' | 'both';

/** A field that the two sides hold different values of. */
export interface FieldConflict {
  readonly field: Field;
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
  /** Both changes together, where these do not touch each other. */
  readonly both: string | undefined;
  /** What keeps every change: the side that changed it, or both. Undefined when a person has to say. */
  readonly proposal: Side | undefined;
}

/** Compares what I have with what is stored now, and both with what I began with. */
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

/** What the post becomes when each field takes the side that was chosen for it. */
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
