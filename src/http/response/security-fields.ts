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

/** The additional security fields of a page. @param policy its own Content-Security-Policy */
export function pageFields(policy: readonly string[]): Record<string, string> {
  return {
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}
