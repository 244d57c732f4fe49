import type * as React from 'react';
import type { OutgoingRequest, Plugin } from './system.js';

interface RequestBodyProps {
  readonly contentType: string | null;
}

/** Sends a form unchanged, empty fields included: the service reports all faults at once. */
export const wholeForms: Plugin = ({ React }) => ({
  wrapComponents: {
    // Fields report their values when they are mounted, so another form needs new fields.
    RequestBody: (Original: React.ComponentType<RequestBodyProps>) =>
      function RequestBodyOfType(props: RequestBodyProps): React.ReactNode {
        return React.createElement(Original, { ...props, key: props.contentType });
      },
  },
  statePlugins: {
    oas3: {
      wrapSelectors: {
        requestBodyInclusionSetting: () => () => ({ get: () => true }),
        validateShallowRequired: () => () => [],
      },
    },
  },
});

/** Sends the text of a multipart form exactly as typed. */
export function withExactText(request: OutgoingRequest): OutgoingRequest {
  return Object.assign(request, {
    userFetch: (url: string, options: RequestInit) =>
      fetch(url, options.body instanceof FormData ? { ...options, body: multipart(options.body) } : options),
  });
}

/**
 * The browser's encoding would convert every line break to CRLF (https://html.spec.whatwg.org/#multipart-form-data).
 */
function multipart(form: FormData): Blob {
  const boundary = `posts-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
  const parts = [...form].map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value as string}\r\n`,
  );
  return new Blob([...parts, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` });
}

const KEY = 'posts-docs.token';
/** The name of the security scheme in the document. */
const SCHEME = 'bearer';

type Authorize = (given: Readonly<Record<string, { readonly value?: string }>>) => void;
type LogOut = (schemes: readonly string[]) => void;

/** Keeps the entered token while the tab is open, so that a reload does not ask for it again. */
export const sessionToken: Plugin = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize:
          (original: Authorize): Authorize =>
          (given) => {
            const token = given[SCHEME]?.value;
            if (token !== undefined) sessionStorage.setItem(KEY, token);
            original(given);
          },
        logout:
          (original: LogOut): LogOut =>
          (schemes) => {
            sessionStorage.removeItem(KEY);
            original(schemes);
          },
      },
    },
  },
});

export function restoreToken(authorize: (scheme: string, token: string) => void): void {
  const token = sessionStorage.getItem(KEY);
  if (token !== null) authorize(SCHEME, token);
}
