import type {
  CorsOptions,
  CorsOptionsDelegate,
} from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { Request } from 'express';
import { CrossOriginWrite } from '../../problem-details/index.js';
import type { Settings } from '../../settings/settings.js';
import { METHODS } from '../routes/route-table.js';

/** What pages of CORS_ORIGINS may send and read. */
const GRANTS: CorsOptions = {
  exposedHeaders:
    'ETag, Idempotency-Replayed, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, ' +
    'X-Request-Id, X-Total-Count',
  methods: METHODS.join(', '),
  allowedHeaders:
    'Authorization, Content-Encoding, Content-Type, Idempotency-Key, If-Match, If-Modified-Since, If-None-Match, ' +
    'If-Unmodified-Since, Last-Event-ID, Prefer, Traceparent, X-Request-Id',
  maxAge: 600,
};

/** Whether the request is a CORS preflight (https://fetch.spec.whatwg.org/#cors-preflight-request). */
export function isPreflight({ method, headers }: Request): boolean {
  const { origin, 'access-control-request-method': requested } = headers;
  return method === 'OPTIONS' && origin !== undefined && requested !== undefined;
}

/** What pages of other origins may do: read and write the API when CORS_ORIGINS names their origin, else nothing. */
export class Origins {
  constructor(private readonly settings: Pick<Settings, 'corsOrigins' | 'publicUrl' | 'basePath'>) {}

  /** The options of the `cors` package for each request. It sets header fields only; request.middleware.ts responds. */
  readonly corsOptions: CorsOptionsDelegate<Request> = (request, done) =>
    done(null, {
      // Without an origin that matches, the package only adds Vary.
      ...(this.#isAllowed(request) ? GRANTS : { methods: '', allowedHeaders: [] }),
      origin: this.#isOfApi(request.url) && this.settings.corsOrigins,
      preflightContinue: true,
    });

  /**
   * Rejects a write that a browser sends for a page of another origin. Without it, any page that a user visits could
   * write to an open service on the user's computer. It needs no token and no cookie: browsers send the origin of a
   * request (Fetch Metadata; RFC 6454 §7). Other clients send no origin and pass.
   *
   * @throws CrossOriginWrite
   */
  assertMayWrite(request: Request): void {
    const { origin, 'sec-fetch-site': site } = request.headers;
    const isOfOtherSite = site === 'cross-site' || site === 'same-site';
    if (!isOfOtherSite && (origin === undefined || this.#isOurs(origin, request))) return;
    if (!this.#isAllowed(request) || !this.#isOfApi(request.url)) throw new CrossOriginWrite();
  }

  #isAllowed({ headers: { origin } }: Request): boolean {
    return origin !== undefined && this.settings.corsOrigins.includes(origin);
  }

  /** CORS_ORIGINS opens the API. The administration site has pages of its own only. */
  #isOfApi(url: string): boolean {
    const admin = `${this.settings.basePath}/admin`;
    return !url.startsWith(admin) || /^[^/?]/.test(url.slice(admin.length));
  }

  /** Without PUBLIC_URL, the scheme is not compared: a proxy may terminate TLS without reporting it. */
  #isOurs(origin: string, request: Request): boolean {
    const { publicUrl } = this.settings;
    if (publicUrl !== undefined) return origin === new URL(publicUrl).origin;
    if (!/^https?:/.test(origin) || !URL.canParse(origin)) return false;
    const { protocol, host } = new URL(origin);
    const ours = request.context.baseUrl.replace(/^https?:/, protocol);
    return URL.canParse(ours) && new URL(ours).host === host;
  }
}
