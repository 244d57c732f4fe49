import { JSON_TYPE, PROBLEM_TYPE } from '../http/media-types.js';
import type { Operation } from '../http/route.js';

const json = { mediaType: JSON_TYPE };

/** What the operations of /admin/api/ have in common: JSON, and nothing else. */
export const read: Operation = { produces: [json] };

/** Small documents, and the first of them comes from anybody: nobody is given room for megabytes. */
export const write: Operation = { ...read, consumes: [JSON_TYPE], maxBodyBytes: 64 * 1024 };

/** Its success has no body, so a client that accepts nothing but problems can be satisfied too. */
export const remove: Operation = { produces: [json, { mediaType: PROBLEM_TYPE }] };
