import type * as React from 'react';
import { addresses, followAddress, withOwnQuery } from './address.js';
import { authorization } from './authorization.js';
import { type ApiDocument, forPeople, withoutReferences } from './document.js';
import { loadedPost } from './edit.js';
import { fields } from './fields.js';
import { sendByKeyboard } from './keyboard.js';
import { fieldsFirst } from './layout.js';
import { liveChanges } from './live-changes.js';
import { outcome } from './outcome.js';
import { withExactText } from './sending.js';
import type { OutgoingRequest, Plugin, System } from './system.js';
import { watchTyping } from './typed.js';

const Nothing = (): null => null;

const TOKEN_KEY = 'posts-docs.authorized';

/**
 * Keeps the entered token while the tab is open, so that a reload does not ask for it again. Swagger UI's own
 * `persistAuthorization` would keep it for ever, in localStorage.
 */
const keepToken = (_original: never, system: System) => () =>
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
        requestResolvedSubtree:
          (_original: unknown, { specActions, specSelectors }: System) =>
          (path: readonly string[]) => {
            const document = specSelectors.specJson();
            specActions.updateResolvedSubtree(path, withoutReferences(document.getIn(path), document));
          },
      },
    },
    auth: { wrapActions: { persistAuthorizationIfNeeded: keepToken } },
  },
});

/** Swagger UI has colours for the dark, but does not choose them by the system's preference. Paper is white. */
function followColorScheme(): void {
  const dark = matchMedia('screen and (prefers-color-scheme: dark)');
  const show = (): unknown => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', show);
  show();
}

followColorScheme();
watchTyping();
document.addEventListener('keydown', sendByKeyboard);

const ui = SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '../openapi.json',
  plugins: [ownDocument, fields, liveChanges, fieldsFirst, outcome, addresses, loadedPost, authorization],
  requestInterceptor: (request: OutgoingRequest) => withExactText(withOwnQuery(request)),
  // Swagger UI splits the values of header fields at commas, which dates contain, too.
  responseInterceptor: (received: { headers: Record<string, string | readonly string[]> }) => {
    for (const [name, value] of Object.entries(received.headers))
      received.headers[name] = [value].flat().join(', ');
    return received;
  },
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
    // Without a fragment, the posts are opened, because most people need them.
    if (location.hash === '') ui.layoutActions.show(['operations-tag', 'posts'], true);
    followAddress(ui);
  },
});
