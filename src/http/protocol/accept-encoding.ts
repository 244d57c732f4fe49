import { parseWeight } from './accept.js';
import { splitOutsideQuotes } from './media-type.js';

/** The content codings this service can produce. */
export type ContentCoding = 'br' | 'gzip' | 'identity';

/** What browsers and most clients send, so that none of it is parsed. */
const USUAL_FIELDS: ReadonlyMap<string, ContentCoding> = new Map([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['gzip', 'gzip'],
  ['identity', 'identity'],
]);

/**
 * Chooses the content coding that an `Accept-Encoding` field likes best (RFC 9110 §12.5.3); at equal weights br, then
 * gzip. `identity` when nothing else is acceptable, even where it is refused itself: a plain answer is better than none.
 *
 * Malformed elements are skipped. Without the field nothing is coded: the client has not asked for it.
 */
export function negotiateCoding(header: string | undefined): ContentCoding {
  if (header === undefined || header === '') return 'identity';
  return USUAL_FIELDS.get(header) ?? chooseCoding(header);
}

function chooseCoding(header: string): ContentCoding {
  const weights = new Map<string, number>();
  for (const element of splitOutsideQuotes(header, ',')) {
    const [name = '', weightText, ...rest] = splitOutsideQuotes(element, ';');
    const weight = weightText === undefined ? 1 : parseWeightParameter(weightText);
    if (weight === undefined || rest.length > 0) continue;
    // `x-gzip` is to be taken for `gzip` (RFC 9110 §8.4.1.3).
    const coding = name.toLowerCase() === 'x-gzip' ? 'gzip' : name.toLowerCase();
    weights.set(coding, Math.max(weight, weights.get(coding) ?? 0));
  }
  // `*` stands for every coding that is not named; a coding that nothing stands for is unwanted, identity the last resort.
  const others = weights.get('*') ?? 0;
  const br = weights.get('br') ?? others;
  const gzip = weights.get('gzip') ?? others;
  const identity = weights.get('identity') ?? others;

  if (br > 0 && br >= gzip && br >= identity) return 'br';
  if (gzip > 0 && gzip >= identity) return 'gzip';
  return 'identity';
}

/** The weight of `q=0.5`; `undefined` when the text is anything else. */
function parseWeightParameter(text: string): number | undefined {
  return /^q=/i.test(text) ? parseWeight(text.slice(2)) : undefined;
}
