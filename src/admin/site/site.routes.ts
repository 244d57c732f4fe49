import { HTML_TYPE } from '../../http/media-types.js';
import type { Route } from '../../http/route.js';

const page = { GET: { produces: [{ mediaType: HTML_TYPE }] } };

export const sitePage: Route = { name: 'admin', path: '/admin/', operations: page };

/** What the site's own router shows: a reload there, or a link to it, is answered with the one page, too. */
export const sitePages: Route = {
  name: 'admin-pages',
  path: '/admin/*',
  operations: page,
  handledAt: sitePage.path,
};

/** Scripts, styles and fonts, under names that change with what is in them. */
export const siteAssets: Route = { name: 'admin-assets', path: '/admin/assets/*', operations: 'any' };

export const siteIcon: Route = { name: 'admin-icon', path: '/admin/favicon.svg', operations: 'any' };
