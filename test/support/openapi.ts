import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { HttpResponse, SentRequest } from './http-client.js';

interface Operation {
  readonly responses: Readonly<Record<string, Response>>;
}

interface Header {
  readonly required?: boolean;
}

interface Response {
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, object>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** A part of the document, and the steps from its root that lead there. */
interface Resolved<Node> {
  readonly place: readonly string[];
  readonly node: Node;
}

interface CompiledPath {
  readonly template: string;
  readonly pattern: RegExp;
}

/** Header fields of the connection, of content negotiation and of CORS, which no operation documents for itself. */
const UNDOCUMENTED =
  /^(?:date|connection|keep-alive|transfer-encoding|content-(?:length|type|encoding)|vary|access-control-.*)$/;

const DOCUMENT_ID = 'https://posts.test/openapi.json';

/** The service's own description, to which its responses are held. */
export class OpenApiDocument {
  // That the schemas are sound is tested once (docs.http.e2e.ts, admin-site.http.e2e.ts); here it would take most of the time.
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #paths: readonly CompiledPath[];

  private constructor(
    private readonly document: Document,
    private readonly basePath: string,
  ) {
    // The package is CommonJS, whose default export Node and TypeScript see differently.
    const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;
    addFormats(this.#ajv);
    this.#ajv.addSchema(document, DOCUMENT_ID);
    this.#paths = Object.keys(document.paths).map((template) => ({
      template,
      pattern: new RegExp(`^${template.replaceAll(/[.]/g, String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }));
  }

  static from(text: string, basePath: string): OpenApiDocument {
    return new OpenApiDocument(JSON.parse(text) as Document, basePath);
  }

  /** Throws unless the exchange is one that the document describes. Paths that it does not know are left alone. */
  assertDocumented(sent: SentRequest, apiResponse: HttpResponse): void {
    const path = this.#findPath(sent.target);
    if (!path) return;
    const method = sent.method.toLowerCase();
    const where = `${sent.method} ${path} → ${apiResponse.status}`;
    const pathItem = this.document.paths[path]!;
    const documentedMethod = method === 'head' && !pathItem['head'] ? 'get' : method;
    const operation = pathItem[documentedMethod];
    if (!operation) {
      // OPTIONS is the same for every path; all other methods that are not documented are not allowed.
      const expected = method === 'options' ? [204, 401] : [400, 401, 403, 404, 405];
      if (!expected.includes(apiResponse.status)) throw new Error(`${where}: the method is not documented.`);
      return;
    }
    const status = this.#findStatus(operation, apiResponse.status);
    if (status === undefined) throw new Error(`${where}: the status is not documented.`);
    const response = this.#resolve(['paths', path, documentedMethod, 'responses', status]);
    this.#assertHeaders(response, apiResponse, where);
    if (apiResponse.bytes.length > 0) this.#assertBody(response, sent, apiResponse, where);
  }

  #findPath(target: string): string | undefined {
    const path = target.replace(/\?.*/s, '');
    if (!path.startsWith(`${this.basePath}/`)) return undefined;
    const rest = path.slice(this.basePath.length);
    return this.#paths.find(({ pattern }) => pattern.test(rest))?.template;
  }

  #findStatus({ responses }: Operation, status: number): string | undefined {
    return [String(status), `${Math.trunc(status / 100)}XX`, 'default'].find((key) => key in responses);
  }

  #assertHeaders(
    { place, node: { headers = {} } }: Resolved<Response>,
    apiResponse: HttpResponse,
    where: string,
  ): void {
    const documented = new Map(Object.keys(headers).map((name) => [name.toLowerCase(), name]));
    const present = Object.keys(apiResponse.headers);
    const missing = [...documented]
      .filter(([lower, name]) => {
        const { node } = this.#resolve<Header>([...place, 'headers', name]);
        return node.required && !present.includes(lower);
      })
      .map(([lower]) => lower);
    const unknown = present.filter((name) => !documented.has(name) && !UNDOCUMENTED.test(name));
    if (missing.length > 0) throw new Error(`${where}: the documented ${missing.join(', ')} is missing.`);
    if (unknown.length > 0) throw new Error(`${where}: the header ${unknown.join(', ')} is not documented.`);
  }

  #assertBody(
    { place, node }: Resolved<Response>,
    sent: SentRequest,
    apiResponse: HttpResponse,
    where: string,
  ): void {
    const { content = {} } = node;
    const type = (apiResponse.headers['content-type'] ?? '').replace(/;.*/, '');
    const key = Object.keys(content).find((each) => each.replace(/;.*/, '') === type);
    if (key === undefined) throw new Error(`${where}: the media type ${type} is not documented.`);
    if (!/^application\/(?:[\w.]+\+)?json$/.test(type)) return;

    const schema = [...place, 'content', key, 'schema'];
    const validate = this.#validatorOf(schema);
    if (!validate(apiResponse.json())) {
      throw new Error(`${where}: the body is not as documented: ${describe(validate.errors ?? [])}`);
    }
    // Posts are parts only where `fields` asks for it.
    const isWhole = sent.method === 'GET' && !/[?&]fields=/.test(sent.target);
    if (isWhole && 'anyOf' in (content[key] as { schema: object }).schema) {
      const validateWhole = this.#validatorOf([...schema, 'anyOf', '0']);
      if (!validateWhole(apiResponse.json())) {
        throw new Error(`${where}: the posts are not whole: ${describe(validateWhole.errors ?? [])}`);
      }
    }
  }

  #validatorOf(pointer: readonly string[]): ValidateFunction {
    const fragment = pointer.map((part) =>
      encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    const reference = `${DOCUMENT_ID}#/${fragment.join('/')}`;
    let validate = this.#validators.get(reference);
    if (!validate) {
      validate = this.#ajv.compile({ $ref: reference });
      this.#validators.set(reference, validate);
    }
    return validate;
  }

  /** What stands at a place of the document, or where a reference there leads. */
  #resolve<Node = Response>(place: readonly string[]): Resolved<Node> {
    const node = place.reduce<unknown>((parent, step) => Reflect.get(parent as object, step), this.document);
    const reference = (node as { $ref?: string }).$ref;
    if (reference === undefined) return { place, node: node as Node };
    return this.#resolve(reference.replace('#/', '').split('/'));
  }
}

function describe(faults: readonly ErrorObject[]): string {
  return faults.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ');
}
