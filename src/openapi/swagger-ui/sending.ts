import type { Fault, OutgoingRequest } from './system.js';

export const NO_ANSWER = 'No answer: the service is stopped, or the network is down.';
/** A request whose response is lost may have been carried out. */
const NO_ANSWER_TO_WRITE = `${NO_ANSWER} Before you send it again, look whether it was carried out.`;

/** What a problem response says, in a line. */
export async function refusalOf(response: Response): Promise<string> {
  const problem = (await response.json().catch(() => ({}))) as { detail?: string; errors?: readonly Fault[] };
  const faults = problem.errors?.map(({ parameter, detail }) =>
    parameter === undefined ? detail : `${parameter}: ${detail}`,
  );
  return `${response.status}: ${faults?.join(' ') ?? problem.detail ?? response.statusText}`;
}

/**
 * Sends a request as it is shown. The text of a multipart form is sent exactly as typed; the browser's encoding would
 * convert every line break to CRLF (https://html.spec.whatwg.org/#multipart-form-data).
 */
export function withExactText(outgoing: OutgoingRequest): OutgoingRequest {
  return Object.assign(outgoing, {
    userFetch: (url: string, { body, ...options }: RequestInit) =>
      send(url, { ...options, ...(body && { body: body instanceof FormData ? encoded(body) : body }) }),
  });
}

/** @throws SendingError */
async function send(url: string, options: RequestInit): Promise<Response> {
  let request: Request;
  try {
    request = new Request(url, options);
  } catch (error) {
    throw new SendingError(`Not sent: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return await fetch(request);
  } catch {
    throw new SendingError(request.method === 'GET' ? NO_ANSWER : NO_ANSWER_TO_WRITE);
  }
}

/** Its message is a sentence for people. Swagger UI shows it after the name. */
class SendingError extends Error {
  override readonly name = '';
}

function encoded(form: FormData): Blob {
  // `crypto.randomUUID` is missing on pages without TLS.
  const boundary = `posts-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
  const parts = [...form].map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value as string}\r\n`,
  );
  return new Blob([...parts, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` });
}
