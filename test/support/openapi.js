// This file is JavaScript: Node loads it once for all test files, and Node does not transpile.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';

/**
 * @typedef {import('ajv').ErrorObject} ErrorObject
 * @typedef {import('ajv').ValidateFunction} ValidateFunction
 * @typedef {import('./http-client.js').HttpResponse} HttpResponse
 * @typedef {import('./http-client.js').SentRequest} SentRequest
 * @typedef {{ readonly required?: boolean }} Header
 * @typedef {{ readonly headers?: Readonly<Record<string, Header>>, readonly content?: Readonly<Record<string, { schema: object }>> }} Response
 * @typedef {{ readonly responses: Readonly<Record<string, Response>> }} Operation
 * @typedef {{ readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }} Document
 * @typedef {{ readonly place: readonly string[], readonly node: any }} Resolved A part of the document, and the steps from
 *   its root that lead there.
 */

/**
 * Header fields of the connection, of content negotiation, of caches, of CORS and of the security of browsers. The
 * document has the fields on which a client acts.
 */
const UNDOCUMENTED =
  /^(?:date|connection|keep-alive|transfer-encoding|content-(?:length|type|encoding|security-policy|disposition)|accept-encoding|vary|cache-control|access-control-.*|cross-origin-.*|x-content-type-options|x-frame-options|referrer-policy|permissions-policy|strict-transport-security)$/;

const DOCUMENT_ID = 'https://posts.test/openapi.json';

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
  /** @type {Map<string, ValidateFunction>} */
  #validators = new Map();

  /**
   * @private
   * @param {Document} document
   * @param {string} basePath
   */
  constructor(document, basePath) {
    this.document = document;
    this.basePath = basePath;
    // The package is CommonJS. Node and TypeScript see its default export differently.
    const addFormats = /** @type {(ajv: Ajv2020) => void} */ (/** @type {unknown} */ (addFormatsModule));
    addFormats(this.#ajv);
    this.#ajv.addSchema(document, DOCUMENT_ID);
    this.paths = Object.keys(document.paths).map((template) => ({
      template,
      pattern: new RegExp(`^${template.replaceAll(/[.]/g, String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }));
  }

  /**
   * @param {readonly unknown[]} dependsOn what the text of the document depends on
   * @param {string} basePath
   * @param {() => string | Buffer} read
   * @returns {OpenApiDocument}
   */
  static shared(dependsOn, basePath, read) {
    const key = JSON.stringify([basePath, ...dependsOn]);
    const document = documents.get(key) ?? new OpenApiDocument(JSON.parse(String(read())), basePath);
    documents.set(key, document);
    return document;
  }

  /**
   * Throws unless the document describes the exchange. Ignores paths that are not in the document.
   *
   * @param {SentRequest} sent
   * @param {HttpResponse} apiResponse
   */
  assertDocumented(sent, apiResponse) {
    const path = this.#findPath(sent.target);
    if (!path) return;
    const method = sent.method.toLowerCase();
    const where = `${sent.method} ${path} → ${apiResponse.status}`;
    const operation = this.document.paths[path]?.[method];
    if (!operation) {
      const isRefusal = [400, 401, 403, 404, 405].includes(apiResponse.status);
      if (!isRefusal) throw new Error(`${where}: the method is not documented.`);
      return;
    }
    const statuses = [`${apiResponse.status}`, `${Math.trunc(apiResponse.status / 100)}XX`, 'default'];
    const status = statuses.find((each) => each in operation.responses);
    if (status === undefined) throw new Error(`${where}: the status is not documented.`);
    const response = this.#resolve(['paths', path, method, 'responses', status]);
    this.#assertHeaders(response, apiResponse, where);
    if (apiResponse.bytes.length > 0) this.#assertBody(response, sent, apiResponse, where);
  }

  /** @param {string} target */
  #findPath(target) {
    const path = target.replace(/\?.*/s, '');
    if (!path.startsWith(`${this.basePath}/`)) return undefined;
    const rest = path.slice(this.basePath.length);
    return this.paths.find(({ pattern }) => pattern.test(rest))?.template;
  }

  /**
   * @param {Resolved} response
   * @param {HttpResponse} apiResponse
   * @param {string} where
   */
  #assertHeaders({ place, node: { headers = {} } }, apiResponse, where) {
    const documented = new Map(Object.keys(headers).map((name) => [name.toLowerCase(), name]));
    const present = Object.keys(apiResponse.headers);
    const missing = [...documented]
      .filter(
        ([lower, name]) =>
          this.#resolve([...place, 'headers', name]).node.required && !present.includes(lower),
      )
      .map(([lower]) => lower);
    const unknown = present.filter((name) => !documented.has(name) && !UNDOCUMENTED.test(name));
    if (missing.length > 0) throw new Error(`${where}: the documented ${missing.join(', ')} is missing.`);
    if (unknown.length > 0) throw new Error(`${where}: the header ${unknown.join(', ')} is not documented.`);
  }

  /**
   * @param {Resolved} response
   * @param {SentRequest} sent
   * @param {HttpResponse} apiResponse
   * @param {string} where
   */
  #assertBody({ place, node: { content = {} } }, sent, apiResponse, where) {
    const type = (apiResponse.headers['content-type'] ?? '').replace(/;.*/, '');
    const key = Object.keys(content).find((each) => each.replace(/;.*/, '') === type);
    if (key === undefined) throw new Error(`${where}: the media type ${type} is not documented.`);
    if (!/^application\/(?:[\w.]+\+)?json$/.test(type)) return;

    const schema = [...place, 'content', key, 'schema'];
    const validate = this.#validatorOf(schema);
    if (!validate(apiResponse.json())) {
      throw new Error(`${where}: the body is not as documented: ${describeErrors(validate.errors ?? [])}`);
    }
    // A partial post is only valid when the query has `fields`.
    const isWhole = sent.method === 'GET' && !/[?&]fields=/.test(sent.target);
    if (isWhole && 'anyOf' in content[key].schema) {
      const validateWhole = this.#validatorOf([...schema, 'anyOf', '0']);
      if (!validateWhole(apiResponse.json())) {
        throw new Error(`${where}: the posts are not whole: ${describeErrors(validateWhole.errors ?? [])}`);
      }
    }
  }

  /** @param {readonly string[]} pointer */
  #validatorOf(pointer) {
    const fragment = pointer.map((part) =>
      encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    const reference = `${DOCUMENT_ID}#/${fragment.join('/')}`;
    const validate = this.#validators.get(reference) ?? this.#ajv.compile({ $ref: reference });
    this.#validators.set(reference, validate);
    return validate;
  }

  /**
   * The node at a place of the document, with a reference resolved.
   *
   * @param {readonly string[]} place
   * @returns {Resolved}
   */
  #resolve(place) {
    /** @type {any} */
    let node = this.document;
    for (const step of place) node = node[step];
    return node.$ref === undefined ? { place, node } : this.#resolve(node.$ref.replace('#/', '').split('/'));
  }
}

/** @param {readonly ErrorObject[]} faults */
function describeErrors(faults) {
  return faults.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ');
}
