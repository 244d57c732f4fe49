import type { OutgoingRequest } from './system.js';

/**
 * Sends the text of a multipart form exactly as typed. The browser's encoding would convert every line break to CRLF
 * (https://html.spec.whatwg.org/#multipart-form-data).
 */
export function withExactText(request: OutgoingRequest): OutgoingRequest {
  return Object.assign(request, {
    userFetch: (url: string, options: RequestInit) =>
      fetch(url, options.body instanceof FormData ? { ...options, body: encoded(options.body) } : options),
  });
}

function encoded(form: FormData): Blob {
  const boundary = `posts-${crypto.randomUUID()}`;
  const parts = [...form].map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value as string}\r\n`,
  );
  return new Blob([...parts, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` });
}
