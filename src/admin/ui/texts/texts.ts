import { fold } from '../../../posts/folded-text.js';

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `1,234` */
export function numberText(number: number): string {
  return number.toLocaleString('en');
}

/** `1.5 MiB` */
export function bytesText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1023.5 && unit < UNITS.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${numberText(unit === 0 ? size : Number(size.toPrecision(3)))} ${UNITS[unit]}`;
}

/** `1 post`, `1,234 posts` */
export function counted(count: number, one: string, others = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : others}`;
}

/** Characters that are written from right to left, and characters that change the direction of what follows. */
const BIDIRECTIONAL =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Bidi_Control}]/u;

/** Text of a user for a message. It cannot change the direction of the text around it (Unicode TR 9, isolates). */
export function isolated(text: string): string {
  return BIDIRECTIONAL.test(text) ? `\u2068${text}\u2069` : text;
}

/** {@link isolated} text in quotation marks. */
export function quoted(text: string): string {
  return `“${isolated(text)}”`;
}

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;

/** Returns where a text contains words of the search. The last word may be a prefix. Case and accents do not matter. */
export function matchesOf(text: string, search: string): [from: number, to: number][] {
  const words = (search.match(WORDS) ?? []).map(fold);
  const last = words.at(-1);
  if (last === undefined) return [];
  return Array.from(text.matchAll(WORDS)).flatMap(({ 0: word, index }) => {
    const folded = fold(word);
    const isFound = words.includes(folded) || folded.startsWith(last);
    return isFound ? [[index, index + word.length] as [number, number]] : [];
  });
}
