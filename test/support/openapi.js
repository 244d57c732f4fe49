// This file is JavaScript: Node loads it once for all test files, and Node does not transpile.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';

/**
 * @typedef {import('./http-client.js').HttpResponse} HttpResponse
 * @typedef {import('./response-rules.js').SentRequest} SentRequest
 * @typedef {{ readonly anyOf?: readonly [object, object] }} Schema
 * @typedef {{ readonly headers?: Readonly<Record<string, { required?: boolean }>>, readonly content?: Readonly<Record<string, { schema: Schema }>> }} Response
 * @typedef {Readonly<Record<string, { readonly responses: Readonly<Record<string, Response>> }>>} PathItem
 */

/**
 * Header fields of the connection, of content negotiation, of caches, of CORS and of the security of browsers. The
 * document has the fields on which a client acts.
 */
const UNDOCUMENTED =
  /^(?:date|connection|keep-alive|transfer-encoding|content-(?:length|type|encoding|security-policy|disposition)|accept-encoding|vary|cache-control|access-control-.*|cross-origin-.*|x-content-type-options|x-frame-options|referrer-policy|permissions-policy|strict-transport-security)$/;

/** The statuses with which a method that the document does not have may be refused. */
const REFUSALS = [400, 401, 403, 404, 405];

/**
 * The documents by what they depend on. Making one, and compiling its schemas, takes longer than most tests.
 *
 * @type {Map<string, OpenApiDocument>}
 */
const documents = new Map();

/** The service's OpenAPI document, used to validate its responses. */
export class OpenApiDocument {
  // docs.http.e2e.ts and admin-site.http.e2e.ts check once that the schemas are valid. Here the check would take most
  // of the time.
  #ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });

  /**
   * @private
   * @param {Readonly<Record<string, PathItem>>} paths
   * @param {string} basePath
   */
  constructor(paths, basePath) {
    // The package is CommonJS. Node and TypeScript see its default export differently.
    const addFormats = /** @type {(ajv: Ajv2020) => void} */ (/** @type {unknown} */ (addFormatsModule));
    addFormats(this.#ajv);
    this.paths = Object.entries(paths).map(([template, item]) => ({
      pattern: new RegExp(`^${basePath}${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      item,
    }));
  }

  /**
   * @param {readonly unknown[]} dependsOn what the text of the document depends on
   * @param {string} basePath
   * @param {() => string} read
   * @returns {OpenApiDocument}
   */
  static shared(dependsOn, basePath, read) {
    const key = JSON.stringify([basePath, ...dependsOn]);
    const document =
      documents.get(key) ?? new OpenApiDocument(dereferenced(JSON.parse(read())).paths, basePath);
    documents.set(key, document);
    return document;
  }

  /**
   * Throws unless the document describes the exchange. Ignores paths that are not in the document.
   *
   * @param {SentRequest} sent
   * @param {HttpResponse} response
   */
  assertDocumented(sent, response) {
    const fault = this.#faultOf(sent, response);
    if (fault !== undefined) throw new Error(`${sent.method} ${sent.target} → ${response.status}: ${fault}`);
  }

  /**
   * @param {SentRequest} sent
   * @param {HttpResponse} response
   */
  #faultOf({ method, target }, response) {
    const { status, headers } = response;
    const path = target.replace(/\?.*/s, '');
    const found = this.paths.find(({ pattern }) => pattern.test(path));
    if (!found) return undefined;
    // The document has HEAD, which responds as GET, and OPTIONS in a paragraph.
    if (method === 'OPTIONS') return undefined;
    const operation = found.item[method === 'HEAD' ? 'get' : method.toLowerCase()];
    if (!operation) return REFUSALS.includes(status) ? undefined : 'The method is not documented.';
    const described = operation.responses[status];
    if (!described) return 'The status is not documented.';

    const fields = Object.entries(described.headers ?? {});
    const documented = new Map(fields.map(([name, field]) => [name.toLowerCase(), field]));
    const missing = [...documented].filter(([name, { required }]) => required && !(name in headers));
    if (missing.length > 0) return `The documented ${missing.map(([name]) => name).join()} is missing.`;
    const unknown = Object.keys(headers).filter((name) => !documented.has(name) && !UNDOCUMENTED.test(name));
    if (unknown.length > 0) return `The header ${unknown.join()} is not documented.`;
    if (response.bytes.length === 0) return undefined;

    const type = (headers['content-type'] ?? '').replace(/;.*/, '');
    const media = Object.entries(described.content ?? {}).find(([each]) => each.replace(/;.*/, '') === type);
    if (!media) return `The media type ${type} is not documented.`;
    if (!/^application\/(?:[\w.]+\+)?json$/.test(type)) return undefined;
    const [, { schema }] = media;
    // A partial post is only valid when the query has `fields`.
    const isWhole = method === 'GET' && !/[?&]fields=/.test(target);
    const validate = this.#ajv.compile((isWhole && schema.anyOf?.[0]) || schema);
    return validate(response.json()) ? undefined : this.#ajv.errorsText(validate.errors);
  }
}

/**
 * Replaces each reference by what it refers to, so that equal parts are one object, which Ajv compiles once.
 *
 * @param {any} node
 * @returns {any} the node
 */
function dereferenced(node, document = node) {
  if (typeof node !== 'object' || node === null) return node;
  if (node.$ref !== undefined) {
    const steps = node.$ref.replace('#/', '').split('/');
    return dereferenced(
      steps.reduce((/** @type {any} */ part, /** @type {string} */ step) => part[step], document),
      document,
    );
  }
  for (const [name, part] of Object.entries(node)) node[name] = dereferenced(part, document);
  return node;
}
