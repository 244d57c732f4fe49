import { codeSamples } from './code-samples.js';
import { accessible, folded } from './components.js';
import { fields } from './fields.js';
import { formDocument } from './form-document.js';
import { loadPost } from './load-post.js';
import {
  openedAddress,
  restoreToken,
  sessionToken,
  wholeForms,
  withExactText,
  withOwnQuery,
} from './outgoing-requests.js';
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

const ui = SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '../openapi.json',
  plugins: [
    accessible,
    codeSamples,
    fields,
    folded,
    formDocument,
    loadPost,
    noChoices,
    openedAddress,
    sessionToken,
    wholeForms,
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
  // The validator would send the document to a third-party server.
  validatorUrl: null,
  onComplete: () => {
    restoreToken((scheme, token) => ui.preauthorizeApiKey(scheme, token));
    // A link to an operation opens that operation. Without a fragment, the posts are opened, because most people need
    // them.
    if (location.hash === '') ui.layoutActions.show(['operations-tag', 'posts'], true);
  },
});
