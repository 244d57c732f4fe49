import { HTML_TYPE, JSON_TYPE } from '../http/media-types.js';
import type { Route } from '../http/route.js';
import { findKind } from './catalogue.js';

const operations = { GET: { produces: [{ mediaType: JSON_TYPE }, { mediaType: HTML_TYPE }] } };

/** All kinds of problem that have an explanation. */
export const problemList: Route = { name: 'problem-list', path: '/problems/', operations };

/** What the `type` of a problem points at. */
export const problemDetail: Route = {
  name: 'problem-detail',
  path: '/problems/{slug}/',
  operations,
  hasTarget: ({ slug }) => findKind(slug!) !== undefined,
};
