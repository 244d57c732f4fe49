/** What other rooms may use of the OpenAPI documents: the decorators that declare an operation and a schema. */
export { DocsModule } from './docs.module.js';
export { ClosedSchema } from './document-types.js';
export type { ParameterName } from './header-fields.js';
export { OpenApiService } from './openapi.service.js';
export {
  type ContentDocs,
  type DocumentedOperation,
  type MediaDocs,
  Operation,
  type ResponseDocs,
} from './operation.decorator.js';
