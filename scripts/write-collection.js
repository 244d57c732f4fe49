// Writes docs/posts.postman_collection.json from openapi.json, for Postman and what reads its collections (Bruno, Insomnia,
// Hoppscotch): `npm run openapi` does it, too.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** HEAD and OPTIONS are what HTTP brings along; nobody explores an API with them. */
const METHODS = ['get', 'post', 'put', 'delete'];

/**
 * @param {object} document the OpenAPI document
 * @returns {object} a collection of the format v2.1.0
 */
export function toCollection(document) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, ...item[method] })),
  );
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      version: document.info.version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
      { key: 'token', value: '' },
    ],
    item: document.tags
      .map(({ name, description }) => ({
        name,
        description,
        item: operations.filter(({ tags }) => tags.includes(name)).map((each) => toItem(document, each)),
      }))
      .filter(({ item }) => item.length > 0),
  };
}

function toItem(document, { path, method, summary, description, parameters = [], requestBody }) {
  const resolved = parameters.map((each) => resolve(document, each));
  const inPlace = (place) => resolved.filter((each) => each.in === place);
  const body = jsonBody(requestBody);
  const query = inPlace('query').map(({ name, description: meaning, schema }) => ({
    key: name,
    value: String(schema.default ?? ''),
    description: meaning,
    // One that is switched on without a value would be refused.
    disabled: true,
  }));
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description,
      header: [
        ...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []),
        ...inPlace('header').map(({ name, description: meaning, schema }) => ({
          key: name,
          value: String(schema.examples?.[0] ?? ''),
          description: meaning,
          disabled: true,
        })),
      ],
      ...(body
        ? {
            body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
          }
        : {}),
      url: {
        raw: `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        host: ['{{baseUrl}}'],
        // The empty step is the slash at the end.
        path: path
          .slice(1)
          .replaceAll(/\{(\w+)\}/g, ':$1')
          .split('/'),
        query,
        variable: inPlace('path').map(({ name, description: meaning, schema }) => ({
          key: name,
          value: String(schema.examples?.[0] ?? schema.enum?.[0] ?? ''),
          description: meaning,
        })),
      },
    },
  };
}

function jsonBody(requestBody) {
  const { example, examples } = requestBody?.content?.['application/json'] ?? {};
  return example ?? Object.values(examples ?? {})[0]?.value;
}

function resolve(document, part) {
  if (!part.$ref) return part;
  const steps = part.$ref.replace('#/', '').split('/');
  return steps.reduce((node, step) => node[step], document);
}

if (process.argv[1] === import.meta.filename) {
  const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));
  const text = `${JSON.stringify(toCollection(document), null, 2)}\n`;
  writeFileSync(join(ROOT, 'docs/posts.postman_collection.json'), text);
}
