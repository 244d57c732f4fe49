import type { Settings } from '../../settings/settings.js';

/** A year, as browsers want it before they take a host at its word. */
const STRICT_TRANSPORT = 'max-age=31536000';

/**
 * What every response tells browsers (OWASP's cheat sheets for REST and for HTTP headers): it is what its media type says,
 * runs and loads nothing, stands in nobody's frame, and is nobody else's image or script. Pages of other origins that
 * CORS_ORIGINS names read it all the same: what CORS lets through, `Cross-Origin-Resource-Policy` is not asked about.
 */
export const SECURITY_FIELDS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** What a page tells browsers besides. @param policy its own Content-Security-Policy */
export function pageFields(policy: readonly string[]): Record<string, string> {
  return {
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}

/**
 * The `Strict-Transport-Security` of all responses: only the operator knows that the service is reached by https and will
 * be, and says so by PUBLIC_URL. It holds for no subdomains, which are not ours to speak for.
 */
export function strictTransport({ publicUrl }: Pick<Settings, 'publicUrl'>): string | undefined {
  return publicUrl?.startsWith('https:') ? STRICT_TRANSPORT : undefined;
}
