import type * as React from 'react';
import { curl, fetchCall, python, type Sent } from './code-texts.js';
import type { Data, Plugin } from './system.js';

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
