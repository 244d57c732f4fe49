import { PROMETHEUS_TYPE } from '../http/media-types.js';
import type { Route } from '../http/route.js';

export const metrics: Route = {
  name: 'metrics',
  path: '/metrics',
  operations: {
    GET: { produces: [{ mediaType: PROMETHEUS_TYPE, parameters: { version: '0.0.4', charset: 'utf-8' } }] },
  },
  isOperational: true,
};
