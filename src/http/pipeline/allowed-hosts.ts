import type { Settings } from '../../settings/settings.js';

/** The names of loopback (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
const LOOPBACK_HOST = /^(?:localhost|[\w-]+(?:\.[\w-]+)*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The hosts that the service answers to: those of ALLOWED_HOSTS. Otherwise a page whose host name resolves to this
 * machine (DNS rebinding) could read and write as if it were a page of this service.
 */
export class AllowedHosts {
  readonly #patterns: readonly string[] | undefined;

  constructor({ allowedHosts }: Pick<Settings, 'allowedHosts'>) {
    this.#patterns = allowedHosts;
  }

  /**
   * Whether these hosts, each with or without a port, are allowed. HTTP/1.0 has no Host, and a client without one is not
   * a browser.
   */
  areAllowed(...hosts: readonly (string | undefined)[]): boolean {
    return this.#patterns === undefined || hosts.every((host) => !host || this.#includes(host));
  }

  #includes(host: string): boolean {
    const name = host.replace(/:\d+$/, '').toLowerCase();
    return this.#patterns!.some((pattern) => {
      if (pattern === 'localhost') return LOOPBACK_HOST.test(name);
      return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern;
    });
  }
}
