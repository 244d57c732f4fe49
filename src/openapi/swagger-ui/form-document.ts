import { mapValues } from '../map-values.js';
import type { Plugin } from './system.js';

type Json = Readonly<Record<string, unknown>>;

interface MediaType {
  readonly schema: Json;
  readonly example?: unknown;
}

interface Operation {
  readonly parameters?: readonly { readonly schema?: Json }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | string>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

const FORM = 'application/x-www-form-urlencoded';
/** The example of a field. A form shows it as the placeholder of an empty input. */
export const PLACEHOLDER = 'x-placeholder';

/** Changes the document for the people who use its forms. Programs get it as it is. */
export const formDocument: Plugin = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (original: (document: Json) => unknown) => (document: ApiDocument) =>
          original({
            ...document,
            paths: mapValues(document.paths, (pathItem) =>
              mapValues(pathItem, (part) =>
                typeof part === 'object' ? adapted(part, document.components.schemas) : part,
              ),
            ),
          }),
      },
    },
  },
});

/** Starts with an empty form in place of an example in JSON, so that no example is stored by accident. */
function adapted(operation: Operation, schemas: ApiDocument['components']['schemas']): Operation {
  const { parameters, requestBody } = operation;
  const changed = { ...operation, ...(parameters && { parameters: parameters.map(withoutLength) }) };
  if (!requestBody?.content[FORM]) return changed;
  const { [FORM]: form, ...others } = requestBody.content;
  const content = mapValues({ [FORM]: form, ...others }, (mediaType) => {
    const { $ref } = mediaType.schema as { $ref?: string };
    const schema = $ref === undefined ? mediaType.schema : schemas[$ref.split('/').at(-1)!]!;
    const isPost = 'properties' in schema;
    // Only a choice of `examples` replaces the text of another media type.
    const value = isPost ? emptyExample(schema) : mediaType.example;
    return {
      schema: isPost ? emptied(schema) : schema,
      examples: { example: { summary: 'Example', value } },
    };
  });
  return { ...changed, requestBody: { ...requestBody, content } };
}

function emptied(schema: Json): Json {
  const properties = mapValues(schema['properties'] as Readonly<Record<string, Json>>, (property) => ({
    ...property,
    [PLACEHOLDER]: (property['examples'] as readonly unknown[] | undefined)?.[0] ?? '',
    examples: [''],
  }));
  return { ...schema, properties };
}

function emptyExample({ required }: Json): Json {
  return Object.fromEntries((required as readonly string[]).map((name) => [name, '']));
}

/** Swagger UI counts `maxLength` in UTF-16 units, but the service counts code points: the service checks the length. */
function withoutLength<P extends { readonly schema?: Json }>(parameter: P): P {
  if (!parameter.schema) return parameter;
  const { maxLength: _, ...schema } = parameter.schema;
  return { ...parameter, schema };
}
