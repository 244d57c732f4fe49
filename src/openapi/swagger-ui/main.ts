import type * as React from 'react';
import { openedAddress, withOwnQuery } from './address.js';
import { type ApiDocument, forPeople } from './document.js';
import { loadedPost } from './edit.js';
import { fields } from './fields.js';
import { withExactText } from './multipart.js';
import { outcome } from './outcome.js';
import type { Data, OutgoingRequest, Plugin } from './system.js';

const Nothing = (): null => null;

const TOKEN_KEY = 'posts-docs.authorized';

/**
 * Keeps the entered token while the tab is open, so that a reload does not ask for it again. Swagger UI's own
 * `persistAuthorization` would keep it for ever, in localStorage.
 */
const keepToken = (_original: never, system: { authSelectors: { authorized(): Data } }) => () =>
  sessionStorage.setItem(TOKEN_KEY, JSON.stringify(system.authSelectors.authorized()));

/** Removes controls without a purpose, and a link inside a button, which keyboards and screen readers cannot use. */
const ownDocument: Plugin = ({ React }) => ({
  components: {
    TryItOutButton: Nothing,
    ParameterIncludeEmpty: Nothing,
    ServersContainer: Nothing,
    DeepLink: ({ text }: { text: React.ReactNode }) => React.createElement('span', null, text),
  },
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (original: (document: ApiDocument) => unknown) => (document: ApiDocument) =>
          original(forPeople(document)),
      },
    },
    auth: { wrapActions: { persistAuthorizationIfNeeded: keepToken } },
  },
});

document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches);

// A link to another form of the same post changes only the fragment, which Swagger UI does not read again.
addEventListener('hashchange', () => location.reload());

const ui = SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '../openapi.json',
  plugins: [ownDocument, fields, outcome, openedAddress, loadedPost],
  requestInterceptor: (request: OutgoingRequest) => withExactText(withOwnQuery(request)),
  // Swagger UI splits the values of header fields at commas, which dates contain, too.
  responseInterceptor: (received: { headers: Record<string, string | readonly string[]> }) => {
    for (const [name, value] of Object.entries(received.headers))
      received.headers[name] = [value].flat().join(', ');
    return received;
  },
  deepLinking: true,
  tryItOutEnabled: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  requestSnippetsEnabled: true,
  // The default theme has a colour with too little contrast.
  syntaxHighlight: { activated: true, theme: 'obsidian' },
  // The validator would send the document to a third-party server.
  validatorUrl: null,
  onComplete: () => {
    const authorized: unknown = JSON.parse(sessionStorage.getItem(TOKEN_KEY) ?? '{}');
    ui.authActions.restoreAuthorization({ authorized });
    // A link to an operation opens that operation. Without a fragment, the posts are opened, because most people
    // need them.
    if (location.hash === '') ui.layoutActions.show(['operations-tag', 'posts'], true);
  },
});
