/**
 * As strict as Swagger UI can stand: all it loads and asks is its own, no script or style stands in the page; the
 * arrows and icons of its style sheet are `data:` images. It has no `upgrade-insecure-requests`, because the service is
 * used on plain http, too.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** All references are relative, so the page works under any prefix. */
export const PAGE_HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Posts Service: the API and its forms</title>
    <link rel="icon" type="image/png" sizes="32x32" href="favicon-32x32.png">
    <link rel="stylesheet" href="swagger-ui.css">
    <link rel="stylesheet" href="page.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <noscript>
      <p>This page needs JavaScript. Without it, the description is at <a href="../openapi.json">openapi.json</a>
      and <a href="../openapi.yaml">openapi.yaml</a>.</p>
    </noscript>
    <script src="swagger-ui-bundle.js"></script>
    <script src="initializer.js"></script>
  </body>
</html>
`;

/** Starts Swagger UI. The validator is off: it would send the description to a server of somebody else. */
export const INITIALIZER = `'use strict';

const ui = SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '../openapi.json',
  deepLinking: true,
  tryItOutEnabled: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
  onComplete() {
    // A link to an operation opens that; without one, people come for the posts.
    if (location.hash === '') ui.layoutActions.show(['operations-tag', 'posts'], true);
  },
});
`;

export const STYLE = `body {
  margin: 0;
  background: #fafafa;
}

noscript p {
  margin: 2rem;
  font-family: sans-serif;
}
`;
