/**
 * Generates posts that resemble written text: word frequencies follow Zipf's law, and some words occur once. The same
 * number always gives the same post.
 */

/** Title and body together. All characters are ASCII. */
export const POST_BYTES = 500;
/** In every post. */
export const COMMON_WORD = 'everywhere';

const VOCABULARY = 50_000;
const SYLLABLES = 'ba ke li no ru sa te vi mo du fa ge hi po zu la re si to nu'.split(' ');
const WORDS = Array.from({ length: VOCABULARY }, (_, index) => {
  let word = '';
  for (let rest = index + 20; rest > 0; rest = Math.floor(rest / 20)) word += SYLLABLES[rest % 20];
  return word;
});
const START = Date.UTC(2000, 0, 1);

/** A word that only this post has. Every tenth post has one. */
export function rareWord(number) {
  return `q${number.toString(36)}x`;
}

/** The post with this number, starting at 1. Dates ascend, with up to 10 hours of jitter; titles are in no order. */
export function postOf(number) {
  const random = numbersFrom(number);
  const word = () => WORDS[Math.floor(VOCABULARY ** random()) - 1];
  const title = `${word()} ${word()} ${word()} ${number}`;
  const length = POST_BYTES - title.length;
  let body = number % 10 === 0 ? `${COMMON_WORD} ${rareWord(number)}` : COMMON_WORD;
  while (body.length < length) body += ` ${word()}`;
  const date = new Date(START + number * 600_000 + Math.floor(random() * 36_000_000));
  return { title, pub_date: date.toISOString(), body: body.slice(0, length) };
}

/** The posts from `first` to `last` as NDJSON, in pieces. */
export function* linesOf(first, last, perPiece = 500) {
  for (let start = first; start <= last; start += perPiece) {
    let piece = '';
    for (let number = start; number < start + perPiece && number <= last; number++)
      piece += `${JSON.stringify(postOf(number))}\n`;
    yield piece;
  }
}

/** Numbers from 0 to 1, the same in every run (mulberry32). */
function numbersFrom(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
