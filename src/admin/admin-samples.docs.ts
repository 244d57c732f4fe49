import { ServiceUnavailable } from '../problem-details/problems.js';

/** What every operation that asks the database may answer. */
export const DATABASE_BUSY = new ServiceUnavailable('The database is busy; nothing was changed.');
