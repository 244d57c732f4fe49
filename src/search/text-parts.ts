/** A word of a run that is not longer is found exactly; of a longer one, all pieces of this length are. */
export const GRAM = 4;

/** In UTF-16 units: what is folded in some milliseconds, whatever the script. */
const PART_LENGTH = 8_192;
/** A text that gives no place to cut it for so long is cut anywhere between two characters. */
const MAX_PART_LENGTH = 262_144;
/** The same where it is not ASCII: to fold it takes 100 times as long, and more than that for marks without letters. */
const MAX_FOLDED_LENGTH = 16_384;

/** Tells whether a text has more than one part. */
export function isLong(text: string): boolean {
  return text.length > PART_LENGTH;
}

/**
 * Cuts a long text where no word of it is cut: behind what separates words, or within a run of Han, Kana or Hangul, of
 * which the next part repeats as much as makes each of its pieces whole in one of them.
 */
export function* partsOf(text: string): Generator<string> {
  let start = 0;
  for (let at = PART_LENGTH; at < text.length; at++) {
    let next = -1;
    if (isSeparator(text.charCodeAt(at - 1))) next = at;
    else if (isInRun(text, at)) next = at - GRAM + 1;
    else if (at - start >= MAX_FOLDED_LENGTH && mayCut(text.charCodeAt(at), at - start)) next = at;
    if (next < 0) continue;
    yield text.slice(start, at);
    start = next;
    at = start + PART_LENGTH - 1;
  }
  yield text.slice(start);
}

/** ASCII but for letters and digits, and the punctuation of East Asia: neither of them ever joins its neighbours. */
function isSeparator(code: number): boolean {
  if (code >= 0x80)
    return (code >= 0x3000 && code <= 0x3002) || code === 0xff0c || code === 0xff01 || code === 0xff1f;
  const lower = code | 0x20;
  return !((lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39));
}

/** Whether what stands around the place are characters of runs that fold each for itself. */
function isInRun(text: string, at: number): boolean {
  for (let index = at - GRAM; index <= at; index++) if (!isOfRun(text.charCodeAt(index))) return false;
  return true;
}

function isOfRun(code: number): boolean {
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x3041 && code <= 0x3096) ||
    (code >= 0x30a1 && code <= 0x30fa) ||
    (code >= 0xac00 && code <= 0xd7a3)
  );
}

/** Whether a part that has become too long may end before this character. */
function mayCut(code: number, length: number): boolean {
  return (code >= 0x80 || length >= MAX_PART_LENGTH) && !isLowSurrogate(code);
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
