import type { Data } from './system.js';

type Schema = Record<string, unknown> & { $ref?: string };

interface Operation {
  readonly parameters?: readonly { readonly schema?: Schema }[];
  readonly requestBody?: { content: Record<string, { readonly schema: Schema; example?: unknown }> };
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { properties?: Record<string, Schema>; required?: string[] }>>;
  };
}

const FORM = 'application/x-www-form-urlencoded';
/** The example of a field. A form shows it as the placeholder of an empty input. */
export const PLACEHOLDER = 'x-placeholder';

/** Changes the document for people: a form comes first and is empty, so that no example is stored by accident. */
export function forPeople(document: ApiDocument): ApiDocument {
  const operations = Object.values(document.paths).flatMap((pathItem) => Object.values(pathItem));
  const emptied = new Set<Schema>();
  for (const { parameters = [], requestBody } of operations) {
    // Swagger UI would count UTF-16 units, but the service counts code points.
    for (const { schema } of parameters) delete schema?.['maxLength'];
    if (!requestBody?.content[FORM]) continue;
    requestBody.content = { [FORM]: requestBody.content[FORM], ...requestBody.content };
    for (const mediaType of Object.values(requestBody.content)) {
      const { $ref } = mediaType.schema;
      if ($ref === undefined) continue;
      const { properties = {}, required = [] } = document.components.schemas[$ref.split('/').at(-1)!]!;
      mediaType.example = Object.fromEntries(required.map((name) => [name, '']));
      for (const property of Object.values(properties)) emptied.add(property);
    }
  }
  for (const property of emptied) {
    property[PLACEHOLDER] = (property['examples'] as readonly unknown[] | undefined)?.[0] ?? '';
    property['examples'] = [''];
  }
  return document;
}

/**
 * A part of the document with what its references name. Swagger UI's own resolver takes any document, and most of the time
 * in which an operation opens; the references of this one are all within it, and none is recursive.
 */
export function withoutReferences(part: unknown, document: Data): unknown {
  if (typeof part !== 'object' || part === null) return part;
  const data = part as Data;
  const reference = data.get('$ref');
  if (typeof reference !== 'string') return data.map((item) => withoutReferences(item, document));
  const target = document.getIn(reference.split('/').slice(1));
  // Swagger UI shows the name of a schema by this.
  return (withoutReferences(target, document) as Data).set('$$ref', reference);
}
