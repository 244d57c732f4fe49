import type { Problem } from './problem.js';

/**
 * From a unique index to the problem, a 409, of a value that another row has already. A room adds its indexes beside its
 * problems. Without an entry, a violation is a fault of the service.
 */
export const UNIQUE_INDEXES = new Map<string, () => Problem>();
