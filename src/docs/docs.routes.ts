import { HTML_TYPE, JSON_TYPE, YAML_TYPE } from '../http/media-types.js';
import type { Route } from '../http/route.js';

/** Swagger UI, the browsable form. */
export const docsPage: Route = {
  name: 'docs',
  path: '/docs/',
  operations: { GET: { produces: [{ mediaType: HTML_TYPE }] } },
};

/** Scripts, styles and images of Swagger UI. */
export const docsAssets: Route = {
  name: 'docs-assets',
  path: '/docs/*',
  operations: 'any',
};

export const openApiJson: Route = {
  name: 'openapi-json',
  path: '/openapi.json',
  operations: { GET: { produces: [{ mediaType: JSON_TYPE }] } },
};

export const openApiYaml: Route = {
  name: 'openapi-yaml',
  path: '/openapi.yaml',
  operations: { GET: { produces: [{ mediaType: YAML_TYPE }] } },
};
