/** What the database's other files may use of PostgreSQL. */
export { openPostgres } from './open-postgres.js';
