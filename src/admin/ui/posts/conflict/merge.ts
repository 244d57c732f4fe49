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
    return { field, parts: FIELD[field].kind === 'text' ? mergeText(values) : [mergeWhole(values)] };
  });
}

function mergeWhole(values: Conflict): string | Conflict {
  const { base, mine, theirs } = values;
  if (mine === theirs || theirs === base) return mine;
  return mine === base ? theirs : values;
}

/** Merges both changes of a text, from one line that both have kept to the next. */
export function mergeText(texts: Conflict): (string | Conflict)[] {
  const { base, mine, theirs } = {
    base: linesOf(texts.base),
    mine: linesOf(texts.mine),
    theirs: linesOf(texts.theirs),
  };
  const [inMine, inTheirs] = [placesIn(texts.mine, texts.base), placesIn(texts.theirs, texts.base)];
  const parts: (string | Conflict)[] = [];
  const add = (part: string | Conflict): void => {
    const last = parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else if (part !== '') parts.push(part);
  };
  let next = { base: 0, mine: 0, theirs: 0 };
  // The end of the texts is like a line that both have kept.
  for (const [place, line] of [...base, ''].entries()) {
    const isEnd = place === base.length;
    const [my, their] = isEnd ? [mine.length, theirs.length] : [inMine[place], inTheirs[place]];
    if (my === undefined || their === undefined) continue;
    add(
      mergeWhole({
        base: base.slice(next.base, place).join(''),
        mine: mine.slice(next.mine, my).join(''),
        theirs: theirs.slice(next.theirs, their).join(''),
      }),
    );
    add(line);
    next = { base: place + 1, mine: my + 1, theirs: their + 1 };
  }
  return parts;
}

/** Returns the place of each line of the base in a changed text; undefined for a line that it has not kept. */
function placesIn(changed: string, base: string): (number | undefined)[] {
  let end = 0;
  return stretchesOf(base, changed, TIMEOUT_MS).flatMap(({ isSame, removed, added }) => {
    const start = end;
    end += added.length;
    return removed.map((_, index) => (isSame ? start + index : undefined));
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
