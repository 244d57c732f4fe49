import { pageFields } from '../http/response/head.js';

/**
 * As strict as Swagger UI can stand: all it loads and asks is its own, no script or style stands in the page; the
 * arrows and icons of its style sheet are `data:` images. It has no `upgrade-insecure-requests`, because the service is
 * used on plain http, too.
 */
export const PAGE_FIELDS = pageFields([
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]);

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
      <p>This page needs JavaScript. Without it, the description is at <a href="../openapi.json">openapi.json</a>,
      <a href="../openapi.yaml">openapi.yaml</a> and, for client generators,
      <a href="../openapi-client.json">openapi-client.json</a>.</p>
    </noscript>
    <script src="swagger-ui-bundle.js"></script>
    <script src="initializer.js"></script>
  </body>
</html>
`;

/**
 * Starts Swagger UI. The validator is off: it would send the description to a server of somebody else.
 *
 * Each operation has a dozen answers that are no success: they stand in one line each, until that is clicked. A field
 * of a form has one input and no box for sending it empty, because an empty one counts as not sent.
 */
export const INITIALIZER = `'use strict';

const FoldedAnswers = ({ React: { createElement, Fragment, useState } }) => ({
  wrapComponents: {
    response: (Response) =>
      function FoldedResponse(props) {
        const [isOpen, setOpen] = useState(false);
        if (props.code < '300') return createElement(Response, props);
        const toggle = createElement(
          'button',
          { type: 'button', className: 'fold', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) },
          props.response.get('description').replaceAll('\`', ''),
        );
        const line = createElement(
          'tr',
          { className: 'response', 'data-code': props.code },
          createElement('td', { className: 'response-col_status' }, props.code),
          createElement('td', { className: 'response-col_description' }, toggle),
        );
        return createElement(Fragment, null, line, isOpen && createElement(Response, { ...props, className: 'unfolded' }));
      },
  },
});

const PlainInputs = () => ({ components: { ParameterIncludeEmpty: () => null } });

const ui = SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '../openapi.json',
  plugins: [FoldedAnswers, PlainInputs],
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

.swagger-ui .info {
  margin: 2rem 0 1rem;
}

.swagger-ui .scheme-container {
  padding: 1rem 0;
}

.swagger-ui .parameters-col_description input[type='text'] {
  width: 100%;
  max-width: 44rem;
}

/* There are none. */
.swagger-ui .response-col_links {
  display: none;
}

.swagger-ui .fold {
  padding: 0;
  border: 0;
  background: none;
  color: inherit;
  font: inherit;
  text-align: left;
  cursor: pointer;
}

.swagger-ui .fold::before {
  content: '\\25B8\\A0';
}

.swagger-ui .fold[aria-expanded='true']::before {
  content: '\\25BE\\A0';
}
.swagger-ui .unfolded > .response-col_status {
  visibility: hidden;
}

.swagger-ui .unfolded .response-col_description__inner {
  display: none;
}
`;
