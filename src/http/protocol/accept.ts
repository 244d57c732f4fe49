import { isUtf8Charset, parseMediaTypes } from './media-type.js';

/**
 * Selects the offer that an `Accept` field prefers (RFC 9110 §12.5.1); `undefined` when none is acceptable. The offers
 * are in the server's order of preference. The first offer is the default: for any type, without `Accept` and for an
 * empty one.
 *
 * The most specific range that matches an offer determines its weight; at equal weights, the earlier offer wins.
 * Malformed ranges are skipped. Unknown parameters are ignored. (negotiator matches no range with a parameter that the
 * offer does not have, and prefers the client's order at equal weights.)
 */
export function negotiate<Offer extends { readonly mediaType: string }>(
  accept: string | undefined,
  offers: readonly Offer[],
): Offer | undefined {
  if (accept === undefined || accept === '' || accept === '*/*') return offers[0];
  for (const offer of offers) if (offer.mediaType === accept) return offer;

  // A list of empty elements is an empty list (RFC 9110 §5.6.1).
  if (/^[\s,]*$/.test(accept)) return offers[0];
  const weights = weightsOf(accept);
  let best: Offer | undefined;
  let bestWeight = 0;
  for (const offer of offers) {
    const typeRange = offer.mediaType.replace(/\/.*/, '/*');
    const weight = weights.get(offer.mediaType) ?? weights.get(typeRange) ?? weights.get('*/*') ?? 0;
    if (weight > bestWeight) {
      best = offer;
      bestWeight = weight;
    }
  }
  return best;
}

export type ResponseCoding = 'br' | 'gzip' | 'identity';

/**
 * Selects the content coding that an `Accept-Encoding` field prefers (RFC 9110 §12.5.3); at equal weights br, then
 * gzip. Returns `identity` when nothing else is acceptable, even if the field excludes it: an uncompressed response is
 * better than none. Without the field, nothing is compressed, because the client did not request it.
 */
export function negotiateCoding(field: string | undefined): ResponseCoding {
  if (field === undefined || field === '') return 'identity';
  const weights = weightsOf(field);
  // `*` matches every coding that is not listed. A coding without a match is excluded; identity is the last resort.
  const others = weights.get('*') ?? 0;
  const br = weights.get('br') ?? others;
  // `x-gzip` is equivalent to `gzip` (RFC 9110 §8.4.1.3).
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? others;
  const identity = weights.get('identity') ?? others;

  if (br > 0 && br >= gzip && br >= identity) return 'br';
  if (gzip > 0 && gzip >= identity) return 'gzip';
  return 'identity';
}

/**
 * The elements of a list and their weights (RFC 9110 §12.4.2), of a repeated one the highest. Elements with a malformed
 * weight, or with a charset other than UTF-8, are skipped.
 */
function weightsOf(field: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const { type, parameters } of parseMediaTypes(field)) {
    const { q = '1', charset } = parameters;
    const isWeight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q);
    const isUsable = isWeight && isUtf8Charset(charset);
    if (isUsable) weights.set(type, Math.max(Number(q), weights.get(type) ?? 0));
  }
  return weights;
}
