import { mapValues } from '../map-values.js';
import type { Plugin } from './system.js';

type Json = Readonly<Record<string, unknown>>;

interface Reference {
  readonly $ref: string;
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Reference }>> };
}

interface ObjectSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, ObjectSchema>> };
}

const FORM = 'application/x-www-form-urlencoded';

/** The length of a parameter in code points; Swagger UI itself counts `maxLength` in UTF-16 units. */
export const MAX_CODE_POINTS = 'x-max-code-points';

/** Changes the document for the people who use its forms. Programs get it as it is. */
export const formDocument: Plugin = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (original: (document: Json) => unknown) => (document: ApiDocument) =>
          original(adapted(withEmptyReplacements(document)) as Json),
      },
    },
  },
});

/** Puts the form first among the media types of a body, as the default, and renames the length of parameters. */
function adapted(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(adapted);
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([name, value]) => [name, adapted(value)] as const);
  const isForm = ([name]: readonly [string, unknown]): boolean => name === FORM;
  const sorted = [...entries.filter(isForm), ...entries.filter((entry) => !isForm(entry))];
  return 'in' in part && 'schema' in part
    ? Object.fromEntries(
        sorted.map(([name, value]) => [name, name === 'schema' ? renamed(value as Json) : value]),
      )
    : Object.fromEntries(sorted);
}

function renamed({ maxLength, ...schema }: Json): Json {
  return maxLength === undefined ? schema : { ...schema, [MAX_CODE_POINTS]: maxLength };
}

/** Without examples in the form of a PUT, no example can replace a post: the form is empty until the post is loaded. */
function withEmptyReplacements(document: ApiDocument): ApiDocument {
  const schemas = { ...document.components.schemas };
  const paths = mapValues(document.paths, (pathItem) => {
    const content = pathItem['put']?.requestBody?.content;
    if (!content) return pathItem;
    const emptied = mapValues(content, ({ schema }) => {
      const name = schema.$ref.split('/').at(-1)!;
      const { required, properties } = schemas[name]!;
      schemas[name] = {
        ...schemas[name]!,
        properties: mapValues(properties, (property) => ({ ...property, examples: [''] })),
      };
      const value = Object.fromEntries(required.map((field) => [field, '']));
      return { schema, examples: { empty: { summary: 'Empty until a post is loaded', value } } };
    });
    return {
      ...pathItem,
      put: { ...pathItem['put'], requestBody: { ...pathItem['put']!.requestBody, content: emptied } },
    };
  });
  return { ...document, paths, components: { ...document.components, schemas } };
}
