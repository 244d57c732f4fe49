/** What HTTP says, as pure functions: media types, negotiation, entity tags, dates. The lowest room: everything may use it. */
export * from './accept.js';
export * from './entity-tags.js';
export * from './last-modified.js';
export * from './media-type.js';
export * from './prefer.js';
export * from './trace-context.js';
