import { accessible } from './accessible.js';
import { codeSamples } from './code-samples.js';
import { wholeForms, withExactText } from './exact-requests.js';
import { fields } from './fields.js';
import { foldedResponses } from './folded-responses.js';
import { formsFirst } from './forms-first.js';
import { loadPost } from './load-post.js';
import { openedAddress, withOwnQuery } from './opened-address.js';
import { restoreToken, sessionToken } from './session-token.js';
import type { Plugin } from './system.js';

const Nothing = (): null => null;
/** Forms are always open, an empty field counts as not sent, and there is one server. */
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
    foldedResponses,
    formsFirst,
    loadPost,
    noChoices,
    openedAddress,
    sessionToken,
    wholeForms,
  ],
  requestInterceptor: (request) => withExactText(withOwnQuery(request)),
  deepLinking: true,
  tryItOutEnabled: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // The default has a colour of too little contrast.
  syntaxHighlight: { activated: true, theme: 'obsidian' },
  requestSnippetsEnabled: true,
  // It would send the description to a server of others.
  validatorUrl: null,
  onComplete: () => {
    restoreToken((scheme, token) => ui.preauthorizeApiKey(scheme, token));
    // A link to an operation opens that. Without one, the posts are what most people want.
    if (location.hash === '') ui.layoutActions.show(['operations-tag', 'posts'], true);
  },
});
