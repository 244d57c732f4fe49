export interface Upload {
  readonly method: string;
  readonly headers: Headers;
  readonly body: XMLHttpRequestBodyInit | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (sentBytes: number) => void;
}

/**
 * Like `fetch`, but reports upload progress. `fetch` cannot: over HTTP/1.1 browsers do not stream a request body, and
 * they report no progress of a body that they send themselves.
 *
 * @throws TypeError when there is no response, as `fetch` does; or the signal's reason
 */
export async function upload(
  url: URL,
  { method, headers, body, signal, onProgress }: Upload,
): Promise<Response> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.responseType = 'blob';
    for (const [name, value] of headers) request.setRequestHeader(name, value);
    const abort = (): void => request.abort();
    signal?.addEventListener('abort', abort);
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
    request.addEventListener('load', () => resolve(toResponse(request)));
    request.addEventListener('error', () => reject(new TypeError('The upload got no response.')));
    request.addEventListener('abort', () =>
      reject(signal?.reason instanceof Error ? signal.reason : new DOMException('Aborted', 'AbortError')),
    );
    request.send(body);
  });
}

function toResponse(request: XMLHttpRequest): Response {
  const fields = request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)
    .map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
  return new Response(request.response as Blob, { status: request.status, headers: fields });
}
