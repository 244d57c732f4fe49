/** What other rooms may use of problems (RFC 9457): the classes that are thrown, and what a room needs to add its own. */
export * from './preconditions.js';
export * from './problem.js';
export * from './problems.js';
export * from './unique-values.js';
