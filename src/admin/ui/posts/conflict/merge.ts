import { type Content, contentWith, type Field, FIELD, FIELDS } from '../../api/posts.js';
import { linesOf, stretchesOf } from '../../difference/difference.js';

/** A place that both sides have changed differently: a whole value, or some lines of a text. */
export interface Conflict {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** The decision about a conflict. `both`: my lines, then theirs. */
export type Side = 'mine' | 'theirs' | 'both';

/** A field that differs between the two sides: its parts that need no decision, and its conflicts, in their order. */
export interface FieldMerge {
  readonly field: Field;
  readonly parts: readonly (string | Conflict)[];
}

/** After this time, the whole text of a side is one change. */
const TIMEOUT_MS = 1_000;

/** Merges what both sides have made of the same base. */
export function mergeContents(base: Content, mine: Content, theirs: Content): FieldMerge[] {
  return FIELDS.filter((field) => mine[field] !== theirs[field]).map((field) => {
    const values = { base: base[field], mine: mine[field], theirs: theirs[field] };
    if (values.mine === values.base) return { field, parts: [values.theirs] };
    if (values.theirs === values.base) return { field, parts: [values.mine] };
    return { field, parts: FIELD[field].kind === 'text' ? mergeText(values) : [values] };
  });
}

/** The conflicts of all fields, with a key for the decision about each. */
export function conflictsOf({ field, parts }: FieldMerge): { key: string; conflict: Conflict }[] {
  return parts.flatMap((part, index) =>
    typeof part === 'string' ? [] : [{ key: `${field} ${index}`, conflict: part }],
  );
}

/** Builds the content from the decisions; an undecided conflict keeps the stored value. */
export function resolve(
  theirs: Content,
  merges: readonly FieldMerge[],
  decisions: Readonly<Record<string, Side | undefined>>,
): Content {
  return contentWith((field) => {
    const merge = merges.find((each) => each.field === field);
    if (!merge) return theirs[field];
    const texts = merge.parts.map((part, index) => {
      if (typeof part === 'string') return part;
      const side = decisions[`${field} ${index}`] ?? 'theirs';
      return side === 'both' ? withLineEnd(part.mine) + part.theirs : part[side];
    });
    return texts.join('');
  });
}

/** The last line of a text may have no line end. */
function withLineEnd(text: string): string {
  return text === '' || /[\r\n]$/.test(text) ? text : `${text}\n`;
}

/** The lines from `start` to `end` (exclusive) of the base became `lines`. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
  readonly side: 'mine' | 'theirs';
}

/** Merges both changes of a text line by line. Changes that overlap or touch each other are a conflict, if they differ. */
export function mergeText({ base, mine, theirs }: Conflict): (string | Conflict)[] {
  const lines = linesOf(base);
  const changes = [...changesOf(base, mine, 'mine'), ...changesOf(base, theirs, 'theirs')];
  const parts: (string | Conflict)[] = [];
  let position = 0;
  for (const group of grouped(changes)) {
    const start = group[0]!.start;
    const end = Math.max(...group.map((change) => change.end));
    const textOf = (side: Change['side']): string => applied(lines, { start, end }, group, side);
    const values = { base: lines.slice(start, end).join(''), mine: textOf('mine'), theirs: textOf('theirs') };
    parts.push(lines.slice(position, start).join(''));
    if (values.mine === values.theirs || values.theirs === values.base) parts.push(values.mine);
    else if (values.mine === values.base) parts.push(values.theirs);
    else parts.push(values);
    position = end;
  }
  return [...parts, lines.slice(position).join('')].filter((part) => part !== '');
}

function changesOf(base: string, changed: string, side: Change['side']): Change[] {
  let start = 0;
  return stretchesOf(base, changed, TIMEOUT_MS).flatMap(({ isSame, removed, added }) => {
    const end = start + removed.length;
    const change = isSame ? [] : [{ start, end, lines: added, side }];
    start = end;
    return change;
  });
}

/** Groups changes that overlap or touch each other, in the order of the base. */
function grouped(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  let end = -1;
  for (const change of changes.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (change.start <= end) groups.at(-1)!.push(change);
    else groups.push([change]);
    end = Math.max(end, change.end);
  }
  return groups;
}

/** The text that one side has made of a range of the base. */
function applied(
  lines: readonly string[],
  range: { readonly start: number; readonly end: number },
  group: readonly Change[],
  side: Change['side'],
): string {
  let text = '';
  let position = range.start;
  for (const change of group.filter((each) => each.side === side)) {
    text += lines.slice(position, change.start).join('') + change.lines.join('');
    position = change.end;
  }
  return text + lines.slice(position, range.end).join('');
}
