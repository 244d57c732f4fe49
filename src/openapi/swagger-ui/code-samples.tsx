import type * as React from 'react';
import type { Data, Plugin } from './system.js';

/** A sent request. Its body is text, or the fields of a multipart form. */
export interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Readonly<Record<string, string>>;
}

/** A command for bash and similar shells. */
function curl({ url, method, headers, body }: Sent): string {
  const fields = fieldsOf(body);
  const args = [
    `curl --request ${method} ${inShell(url)}`,
    ...headersFor(headers, fields).map(([name, value]) => `--header ${inShell(`${name}: ${value}`)}`),
    ...(typeof body === 'string' ? [`--data-raw ${inShell(body)}`] : []),
    ...(fields ?? []).map(([name, value]) => `--form-string ${inShell(`${name}=${value}`)}`),
  ];
  return args.join(' \\\n  ');
}

/** JavaScript for browsers and Node. */
function fetchCall({ url, method, headers, body }: Sent): string {
  const fields = fieldsOf(body);
  const options = [
    `method: ${inScript(method)}`,
    `headers: ${inScript(Object.fromEntries(headersFor(headers, fields)))}`,
    ...(typeof body === 'string' ? [`body: ${inScript(body)}`] : []),
    ...(fields ? ['body: form'] : []),
  ];
  return [
    ...(fields ? ['const form = new FormData();'] : []),
    ...(fields ?? []).map(([name, value]) => `form.append(${inScript(name)}, ${inScript(value)});`),
    `const response = await fetch(${inScript(url)}, {`,
    ...options.map((option) => `  ${option},`),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

/** Python with only its standard library, which has no multipart forms: the other form type is equivalent. */
function python({ url, method, headers, body }: Sent): string {
  const fields = fieldsOf(body);
  const data = fields
    ? `urlencode(${inScript(Object.fromEntries(fields))}).encode()`
    : `${inScript(body ?? '')}.encode()`;
  return [
    'from urllib.error import HTTPError',
    ...(fields ? ['from urllib.parse import urlencode'] : []),
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    ${inScript(url)},`,
    ...(body === undefined ? [] : [`    data=${data},`]),
    `    headers=${inScript(Object.fromEntries(headersFor(headers, fields)))},`,
    `    method=${inScript(method)},`,
    ')',
    'try:',
    '    with urlopen(request) as response:',
    '        print(response.status, response.read().decode())',
    'except HTTPError as error:',
    '    print(error.code, error.read().decode())',
  ].join('\n');
}

type Fields = readonly (readonly [string, string])[];

function fieldsOf(body: Sent['body']): Fields | undefined {
  return typeof body === 'object' ? Object.entries(body) : undefined;
}

/** The Content-Type of a multipart form contains its boundary, which the sender chooses. */
function headersFor(headers: Sent['headers'], fields: Fields | undefined): [string, string][] {
  return Object.entries(headers).filter(([name]) => !fields || name.toLowerCase() !== 'content-type');
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A literal for JavaScript or Python. Strings, and objects of strings, have the same syntax in both. */
function inScript(value: unknown): string {
  return JSON.stringify(value);
}

const LANGUAGES = { curl, fetch: fetchCall, Python: python } as const;
type Language = keyof typeof LANGUAGES;

/** Shows the last request as program code. */
export const codeSamples: Plugin = ({ React, ...system }) => {
  function RequestSnippets({ request }: { readonly request: Data }): React.ReactNode {
    const [language, setLanguage] = React.useState<Language>('curl');
    const HighlightCode = system.getComponent('HighlightCode', true);
    return (
      <div className="code-samples">
        <h4>This request in a program</h4>
        <div role="group" aria-label="Language">
          {(Object.keys(LANGUAGES) as Language[]).map((name) => (
            <button
              key={name}
              type="button"
              className="btn"
              aria-pressed={name === language}
              onClick={() => setLanguage(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <HighlightCode canCopy>{LANGUAGES[language](toSent(request))}</HighlightCode>
      </div>
    );
  }
  return { components: { RequestSnippets } };
};

function toSent(request: Data): Sent {
  const { url, method, headers, body } = request.toJS() as Sent;
  return { url, method, headers, ...(body !== undefined && body !== null && { body }) };
}
