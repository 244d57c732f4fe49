import { docsPage } from '../docs/docs.routes.js';
import { HTML_TYPE, JSON_TYPE } from '../http/media-types.js';
import { pathOf, type Route } from '../http/route.js';

/** Where a client starts: it names the collections, so that clients need to know this path only. */
export const entryPoint: Route = {
  name: 'entry-point',
  path: '/',
  operations: {
    GET: { produces: [{ mediaType: JSON_TYPE }, { mediaType: HTML_TYPE, seeOther: pathOf(docsPage) }] },
  },
};
