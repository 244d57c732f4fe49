/** What other rooms may use of the OpenAPI documents: the decorator of a schema. `@Operation()` is of HTTP. */
export { DocsModule } from './docs.module.js';
export { ClosedSchema } from './document-types.js';
