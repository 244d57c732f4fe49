import Negotiator from 'negotiator';
import { parseMediaTypes } from './media-type.js';

/**
 * Selects the offer that an `Accept` field prefers (RFC 9110 §12.5.1); `undefined` when none is acceptable. The first
 * offer is the default: for any type, without `Accept` and for an empty one.
 *
 * Parameters other than `q` are removed first, because negotiator matches no range with a parameter that the offer does
 * not have. Old Java clients write `*` for any type. A weight that is not a number is ignored.
 */
export function negotiate<Offer extends { readonly mediaType: string }>(
  accept: string | undefined,
  offers: readonly Offer[],
): Offer | undefined {
  if (accept === undefined || accept === '' || accept === '*/*') return offers[0];
  for (const offer of offers) if (offer.mediaType === accept) return offer;
  const types = offers.map(({ mediaType }) => mediaType);
  const matching = new Set(types.flatMap((type) => [type, type.replace(/\/.*$/, '/*'), '*/*']));
  let isEmpty = true;
  // negotiator compares each offer with each range: only those that can match, once each.
  const weights = new Map<string, number>();
  for (const { type, parameters } of parseMediaTypes(accept)) {
    isEmpty = false;
    const range = type === '*' ? '*/*' : type;
    const weight = weightOf(parameters['q']);
    if (!matching.has(range) || weight < (weights.get(range) ?? 0)) continue;
    // At the end, because negotiator takes the last of equal ranges.
    weights.delete(range);
    weights.set(range, weight);
  }
  // A list of empty elements is an empty list (RFC 9110 §5.6.1).
  if (isEmpty) return offers[0];
  const ranges = Array.from(weights, ([range, weight]) => `${range};q=${weight}`);
  if (ranges.length === 0) return undefined;
  const chosen = new Negotiator({ headers: { accept: ranges.join() } }).mediaType(types);
  return offers.find(({ mediaType }) => mediaType === chosen);
}

function weightOf(q = ''): number {
  return /^\.?\d/.test(q) ? Number.parseFloat(q) : 1;
}

export const RESPONSE_CODINGS = ['br', 'gzip', 'identity'] as const;
export type ResponseCoding = (typeof RESPONSE_CODINGS)[number];

/**
 * Selects the content coding that an `Accept-Encoding` field prefers (RFC 9110 §12.5.3); at equal weights br, then
 * gzip. Returns `identity` when nothing else is acceptable, even if the field excludes it: an uncompressed response is
 * better than none. Without the field, nothing is compressed, because the client did not request it.
 */
export function negotiateCoding(field: string | undefined): ResponseCoding {
  if (field === undefined || field === '') return 'identity';
  const negotiator = new Negotiator({ headers: { 'accept-encoding': field } });
  // @ts-expect-error -- the types of negotiator 1 are not published, and those of 0.6 lack `preferred`
  const coding = negotiator.encoding([...RESPONSE_CODINGS], { preferred: ['br', 'gzip'] });
  return (coding ?? 'identity') as ResponseCoding;
}
