import { openedAddress, withOwnQuery } from './address.js';
import { collapsed } from './collapsed.js';
import { fields } from './fields.js';
import { formDocument } from './form-document.js';
import { loadPost } from './load-post.js';
import { withExactText } from './multipart.js';
import { outcome } from './outcome.js';
import { requestSnippets } from './request-snippets.js';
import { restoreToken, sessionToken } from './session-token.js';
import type { Plugin } from './system.js';

const Nothing = (): null => null;
/**
 * Removes controls without a purpose: forms are always open, an empty field counts as absent, and there is one server.
 */
const noChoices: Plugin = () => ({
  components: { TryItOutButton: Nothing, ParameterIncludeEmpty: Nothing, ServersContainer: Nothing },
});

const dark = matchMedia('(prefers-color-scheme: dark)');
const followPreference = (): void => {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
};
dark.addEventListener('change', followPreference);
followPreference();

// A link to another form of the same post changes only the fragment, which Swagger UI does not read again.
addEventListener('hashchange', () => location.reload());

const ui = SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '../openapi.json',
  // The parts of one plug-in. A later part wraps an earlier one.
  plugins: [
    noChoices,
    formDocument,
    fields,
    loadPost,
    collapsed,
    openedAddress,
    outcome,
    requestSnippets,
    sessionToken,
  ],
  requestInterceptor: (request) => withExactText(withOwnQuery(request)),
  // Swagger UI splits the values of header fields at commas, which dates contain, too.
  responseInterceptor: (response) => {
    for (const [name, value] of Object.entries(response.headers))
      response.headers[name] = [value].flat().join(', ');
    return response;
  },
  deepLinking: true,
  tryItOutEnabled: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // The default theme has a colour with too little contrast.
  syntaxHighlight: { activated: true, theme: 'obsidian' },
  requestSnippetsEnabled: true,
  requestSnippets: {
    generators: {
      curl: { title: 'curl', syntax: 'bash' },
      fetch: { title: 'fetch', syntax: 'javascript' },
    },
    languages: ['curl', 'fetch'],
    defaultExpanded: true,
  },
  // The validator would send the document to a third-party server.
  validatorUrl: null,
  onComplete: () => {
    restoreToken((scheme, token) => ui.preauthorizeApiKey(scheme, token));
    // A link to an operation opens that operation. Without a fragment, the posts are opened, because most people need
    // them.
    if (location.hash === '') ui.layoutActions.show(['operations-tag', 'posts'], true);
  },
});
