/**
 * The security fields of every response (OWASP's cheat sheets for REST and for HTTP headers): the media type is not
 * guessed, the response runs and loads nothing, and other sites cannot frame or embed it. Pages of the origins in
 * CORS_ORIGINS can still read it: `Cross-Origin-Resource-Policy` does not apply to CORS requests.
 */
export const SECURITY_FIELDS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * The additional security fields of a page.
 *
 * @param sources what it may load, as directives of its Content-Security-Policy
 * @param baseUri what its base element may name
 */
export function pageFields(sources: readonly string[] = [], baseUri = "'none'"): Record<string, string> {
  const others = [`base-uri ${baseUri}`, "form-action 'none'", "frame-ancestors 'none'"];
  return {
    'Content-Security-Policy': ["default-src 'none'", ...sources, ...others].join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}
