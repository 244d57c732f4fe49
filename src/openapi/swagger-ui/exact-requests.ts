import type * as React from 'react';
import type { OutgoingRequest, Plugin } from './system.js';

interface RequestBodyProps {
  readonly contentType: string | null;
}

/** A form is sent as it stands, empty fields included: the service tells what is wrong, all at once. */
export const wholeForms: Plugin = ({ React }) => ({
  wrapComponents: {
    // Fields tell their values when they are made, and those of another form are other fields.
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

/** Sends the text of a multipart form as it was typed. */
export function withExactText(request: OutgoingRequest): OutgoingRequest {
  return Object.assign(request, {
    userFetch: (url: string, options: RequestInit) =>
      fetch(url, options.body instanceof FormData ? { ...options, body: multipart(options.body) } : options),
  });
}

/** A browser's own encoding would make CRLF of every line break (https://html.spec.whatwg.org/#multipart-form-data). */
function multipart(form: FormData): Blob {
  const boundary = `posts-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
  const parts = [...form].map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value as string}\r\n`,
  );
  return new Blob([...parts, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` });
}
