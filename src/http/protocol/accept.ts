import { type MediaType, parseMediaTypes } from './media-type.js';

export interface Offer {
  /** In lower case, without parameters: `text/csv`. */
  readonly mediaType: string;
  /** The parameters of its `Content-Type`, names in lower case. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/**
 * Selects the offer that an `Accept` field prefers (RFC 9110 §12.5.1); `undefined` when none is acceptable. The offers
 * are in the server's order of preference. The first offer is the default: for any type, without `Accept` and for an
 * empty one.
 *
 * The most specific range that matches an offer determines its weight; at equal weights, the earlier offer wins.
 * Malformed ranges are skipped, and parameters that an offer does not have are ignored. (negotiator matches none of the
 * latter, and prefers the client's order at equal weights.)
 */
export function negotiate<T extends Offer>(accept: string | undefined, offers: readonly T[]): T | undefined {
  if (accept === undefined || accept === '' || accept === '*/*') return offers[0];
  for (const offer of offers) if (offer.mediaType === accept) return offer;

  const ranges = [...parseMediaTypes(accept)];
  // A list of empty elements is an empty list (RFC 9110 §5.6.1).
  if (ranges.length === 0) return offers[0];
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

/**
 * The weight of the most specific matching range; 0 when none matches. Of two equally specific ranges, the higher
 * weight counts.
 */
function weigh(offer: Offer, ranges: readonly MediaType[]): number {
  let weight = 0;
  let highest = -1;
  for (const range of ranges) {
    const specificity = specificityFor(range, offer);
    const ownWeight = weightOf(range);
    if (specificity === undefined || ownWeight === undefined || specificity < highest) continue;
    if (specificity > highest || ownWeight > weight) weight = ownWeight;
    highest = specificity;
  }
  return weight;
}

/** A type counts more than a type range, which counts more than any number of parameters. */
const TYPE = 2_000_000;
const TYPE_RANGE = 1_000_000;

/** Undefined when the range does not match the offer. */
function specificityFor({ type, parameters }: MediaType, { mediaType, ...offer }: Offer): number | undefined {
  let specificity = 0;
  if (type === mediaType) specificity = TYPE;
  else if (type.endsWith('/*') && mediaType.startsWith(type.slice(0, -1))) specificity = TYPE_RANGE;
  else if (type !== '*/*') return undefined;
  // All text is UTF-8, even when the media type has no charset parameter, such as JSON (RFC 8259 §11).
  const own = new Map(Object.entries({ ...offer.parameters, charset: 'utf-8' }));
  for (const [name, value] of Object.entries(parameters)) {
    const offered = name === 'q' ? undefined : own.get(name);
    if (offered === undefined) continue;
    if (offered !== (name === 'charset' ? value.toLowerCase() : value)) return undefined;
    specificity += 1;
  }
  return specificity;
}

/** The weight of a list element (RFC 9110 §12.4.2); `undefined` when it is malformed. */
function weightOf({ parameters: { q = '1' } }: MediaType): number | undefined {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q) : undefined;
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
 * better than none. Without the field, nothing is compressed, because the client did not request it.
 */
export function negotiateCoding(field: string | undefined): ResponseCoding {
  if (field === undefined || field === '') return 'identity';
  return USUAL_FIELDS.get(field) ?? chooseCoding(field);
}

function chooseCoding(field: string): ResponseCoding {
  const weights = new Map<string, number>();
  for (const element of parseMediaTypes(field)) {
    // `x-gzip` is equivalent to `gzip` (RFC 9110 §8.4.1.3).
    const coding = element.type === 'x-gzip' ? 'gzip' : element.type;
    weights.set(coding, Math.max(weightOf(element) ?? 0, weights.get(coding) ?? 0));
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
