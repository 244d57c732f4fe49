import type { Plugin } from './system.js';

/** A sent request. Its body is text, or the fields of a multipart form. */
interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Readonly<Record<string, string>> | null;
}

/** Code for the last request. Swagger UI's own curl reads a file where a multipart field starts with `@`. */
export const requestSnippets: Plugin = () => ({
  fn: {
    requestSnippetGenerator_curl: (request) => curl(request.toJS() as Sent),
    requestSnippetGenerator_fetch: (request) => fetchCall(request.toJS() as Sent),
  },
});

/** A command for bash and similar shells. */
function curl(request: Sent): string {
  const { url, method, body } = request;
  const args = [
    `curl --request ${method} ${inShell(url)}`,
    ...headersOf(request).map(([name, value]) => `--header ${inShell(`${name}: ${value}`)}`),
    ...(typeof body === 'string' ? [`--data-raw ${inShell(body)}`] : []),
    ...fieldsOf(body).map(([name, value]) => `--form-string ${inShell(`${name}=${value}`)}`),
  ];
  return args.join(' \\\n  ');
}

/** JavaScript for browsers and Node. */
function fetchCall(request: Sent): string {
  const { url, method, body } = request;
  const fields = fieldsOf(body);
  const options = [
    `method: ${JSON.stringify(method)}`,
    `headers: ${JSON.stringify(Object.fromEntries(headersOf(request)))}`,
    ...(typeof body === 'string' ? [`body: ${JSON.stringify(body)}`] : []),
    ...(fields.length > 0 ? ['body: form'] : []),
  ];
  return [
    ...(fields.length > 0 ? ['const form = new FormData();'] : []),
    ...fields.map(([name, value]) => `form.append(${JSON.stringify(name)}, ${JSON.stringify(value)});`),
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...options.map((option) => `  ${option},`),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

function fieldsOf(body: Sent['body']): readonly (readonly [string, string])[] {
  return typeof body === 'object' && body !== null ? Object.entries(body) : [];
}

/** The Content-Type of a multipart form contains its boundary, which the sender chooses. */
function headersOf({ headers, body }: Sent): readonly (readonly [string, string])[] {
  return Object.entries(headers).filter(
    ([name]) => name.toLowerCase() !== 'content-type' || typeof body === 'string',
  );
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
