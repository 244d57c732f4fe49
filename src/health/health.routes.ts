import { JSON_TYPE } from '../http/media-types.js';
import type { Route } from '../http/route.js';

const json = { GET: { produces: [{ mediaType: JSON_TYPE }] } };

export const healthLive: Route = {
  name: 'health-live',
  path: '/health/live',
  operations: json,
  isOperational: true,
};

export const healthReady: Route = {
  name: 'health-ready',
  path: '/health/ready',
  operations: json,
  isOperational: true,
};
