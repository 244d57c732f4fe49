import { parseMediaType, splitOutsideQuotes } from './media-type.js';

export interface Offer {
  /** In lower case, without parameters: `text/csv`. */
  readonly mediaType: string;
  /** The parameters of its `Content-Type`, names in lower case. */
  readonly parameters?: Readonly<Record<string, string>>;
}

interface MediaRange {
  /** A media type, or one whose subtype or both parts are `*`. */
  readonly type: string;
  /** The parameters without the weight; undefined in the common case of none. */
  readonly parameters: readonly (readonly [name: string, value: string])[] | undefined;
  /** 0 to 1; 0 means "not this one". */
  readonly weight: number;
  /** 0 for any type, 1 for any subtype, 2 for one media type. */
  readonly level: number;
}

const ANY_TYPE = '*/*';

/**
 * Selects the offer that an `Accept` field prefers (RFC 9110 §12.5.1); `undefined` when none is acceptable. The offers
 * are in the server's order of preference. The first offer is the default: for any type, without `Accept` and for an
 * empty one.
 *
 * The most specific range that matches an offer determines its weight; at equal weights, the earlier offer wins.
 * Malformed ranges are skipped, and parameters that an offer does not have are ignored.
 */
export function negotiate<T extends Offer>(accept: string | undefined, offers: readonly T[]): T | undefined {
  if (accept === undefined || accept === '' || accept === ANY_TYPE) return offers[0];
  for (const offer of offers) if (offer.mediaType === accept) return offer;

  const elements = splitOutsideQuotes(accept, ',').filter((element) => element !== '');
  // A list of empty elements is an empty list (RFC 9110 §5.6.1).
  if (elements.length === 0) return offers[0];
  const ranges = elements.map(parseMediaRange).filter((range) => range !== undefined);

  let best: T | undefined;
  let bestWeight = 0;
  for (const offer of offers) {
    const weight = weigh(offer, ranges);
    if (weight > bestWeight) {
      best = offer;
      bestWeight = weight;
    }
  }
  return best;
}

/** A weight of RFC 9110 §12.4.2: `0` to `1` with at most three decimal digits; `undefined` when malformed. */
export function parseWeight(text: string): number | undefined {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : undefined;
}

function parseMediaRange(element: string): MediaRange | undefined {
  const parsed = parseMediaType(element);
  if (parsed === undefined) return undefined;
  const { type } = parsed;
  const level = type === ANY_TYPE ? 0 : type.endsWith('/*') ? 1 : 2;
  if (parsed.parameters.size === 0) return { type, parameters: undefined, weight: 1, level };

  // `q` is the weight at any position among the parameters.
  const weight = parseWeight(parsed.parameters.get('q') ?? '1');
  if (weight === undefined) return undefined;
  const parameters = [...parsed.parameters].filter(([name]) => name !== 'q');
  return { type, parameters, weight, level };
}

/**
 * The weight of the most specific matching range; 0 when none matches. Of two equally specific ranges, the higher
 * weight counts.
 */
function weigh(offer: Offer, ranges: readonly MediaRange[]): number {
  let weight = 0;
  let highest = -1;
  for (const range of ranges) {
    const specificity = specificityFor(range, offer);
    if (specificity === undefined || specificity < highest) continue;
    if (specificity > highest || range.weight > weight) weight = range.weight;
    highest = specificity;
  }
  return weight;
}

/**
 * Combines the level with the number of parameters that the offer has; undefined when the range does not match the
 * offer.
 */
function specificityFor({ type, parameters = [], level }: MediaRange, offer: Offer): number | undefined {
  if (type !== offer.mediaType && type !== ANY_TYPE) {
    if (!type.endsWith('/*') || !offer.mediaType.startsWith(type.slice(0, -1))) return undefined;
  }
  const known = parameters.filter(([name]) => name === 'charset' || parameterOf(offer, name) !== undefined);
  if (!known.every(([name, value]) => hasParameter(offer, name, value))) return undefined;
  // The number of parameters is far smaller than the step between levels.
  return level * 1_000_000 + known.length;
}

function hasParameter(offer: Offer, name: string, value: string): boolean {
  // All text is UTF-8, even when the media type has no charset parameter, such as JSON (RFC 8259 §11).
  if (name === 'charset') return value.toLowerCase() === 'utf-8';
  return parameterOf(offer, name) === value;
}

function parameterOf({ parameters }: Offer, name: string): string | undefined {
  return parameters && Object.hasOwn(parameters, name) ? parameters[name] : undefined;
}

export type ResponseCoding = 'br' | 'gzip' | 'identity';

/** The fields that browsers and most clients send, so that these need no parsing. */
const USUAL_FIELDS: ReadonlyMap<string, ResponseCoding> = new Map([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['gzip', 'gzip'],
  ['identity', 'identity'],
]);

/**
 * Selects the content coding that an `Accept-Encoding` field prefers (RFC 9110 §12.5.3); at equal weights br, then
 * gzip. Returns `identity` when nothing else is acceptable, even if the field excludes it: an uncompressed response is
 * better than none.
 *
 * Malformed elements are skipped. Without the field, nothing is compressed, because the client did not request it.
 */
export function negotiateCoding(header: string | undefined): ResponseCoding {
  if (header === undefined || header === '') return 'identity';
  return USUAL_FIELDS.get(header) ?? chooseCoding(header);
}

function chooseCoding(header: string): ResponseCoding {
  const weights = new Map<string, number>();
  for (const element of splitOutsideQuotes(header, ',')) {
    const [name = '', weightText, ...rest] = splitOutsideQuotes(element, ';');
    const weight = weightText === undefined ? 1 : parseWeightParameter(weightText);
    if (weight === undefined || rest.length > 0) continue;
    // `x-gzip` is equivalent to `gzip` (RFC 9110 §8.4.1.3).
    const coding = name.toLowerCase() === 'x-gzip' ? 'gzip' : name.toLowerCase();
    weights.set(coding, Math.max(weight, weights.get(coding) ?? 0));
  }
  // `*` matches every coding that is not listed. A coding without a match is excluded; identity is the last resort.
  const others = weights.get('*') ?? 0;
  const br = weights.get('br') ?? others;
  const gzip = weights.get('gzip') ?? others;
  const identity = weights.get('identity') ?? others;

  if (br > 0 && br >= gzip && br >= identity) return 'br';
  if (gzip > 0 && gzip >= identity) return 'gzip';
  return 'identity';
}

/** The weight in a text such as `q=0.5`; `undefined` when the text has another form. */
function parseWeightParameter(text: string): number | undefined {
  return /^q=/i.test(text) ? parseWeight(text.slice(2)) : undefined;
}
