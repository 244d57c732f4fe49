import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BodyTooLarge, type InputFault, InvalidRequest } from '../../problem-details/index.js';
import { type Settings, SETTINGS } from '../../settings/settings.js';
import { TemporaryFiles } from '../../temporary-files/temporary-files.js';
import { inPieces, inSteps, Turns } from '../../turns/index.js';
import { FORM_TYPE, JSON_TYPE, MULTIPART_TYPE, NDJSON_TYPE, parseMediaType } from '../protocol/media-type.js';
import { readBodyFormat } from './body-format.js';
import { BodyQuotas, BodyShare } from './body-quotas.js';
import { type Form, readMultipartForm, readUrlencodedForm } from './forms.js';
import { type IdempotentRequest, readIdempotentRequest } from './idempotent-request.js';
import { InputPipe } from './input.pipe.js';
import { readTexts, type Texts } from './field-texts.js';
import { decodeJsonBody } from '../../input/index.js';
import { PlainBody } from './plain-body.js';
import { RequestBody } from './request-body.js';
import { ClientGone } from '../client/client-gone.js';

const BODY_MISSING: InputFault = {
  detail: 'The request needs a body.',
  code: 'required',
  pointer: '',
};

const MANY_ADVICE = ` To send many objects, write one a line, with the Content-Type ${NDJSON_TYPE}.`;

/** Makes `request.body` of the bytes of a whole body. @throws InvalidRequest */
type WholeBodyReader = (bytes: Buffer, request: Request, client: string) => unknown;

/** How whole bodies are read, by their media type. All others are read as streams by their handlers. */
const WHOLE_BODY_READERS: Readonly<Record<string, WholeBodyReader>> = {
  [JSON_TYPE]: (bytes, { context }, client) => {
    const advice = context.method?.consumes?.includes(NDJSON_TYPE) ? MANY_ADVICE : '';
    return inSteps(decodeJsonBody(bytes, advice, !context.operation), client);
  },
  [FORM_TYPE]: async (bytes, { context }, client) => {
    const form = await inSteps(readUrlencodedForm(bytes), client);
    return context.operation ? form : form.texts;
  },
  [MULTIPART_TYPE]: async (bytes, { context, headers }, client) => {
    const form = await readMultipartForm(bytes, headers['content-type']!, client);
    // In place of the bytes: clients use a new boundary for each request.
    if (context.idempotent) await addFields(context.idempotent, form, client);
    return form;
  },
};

/**
 * Reads the body of a request whose sender may call the handler, within what each client may hold: a guard, because it
 * runs after AccessGuard and before the pipes. `request.body` is then an object of the body's fields, a `Form`, or the body
 * as a stream.
 *
 * body-parser is not used: it has no time limit, and sends a 413 or 400 only after the whole body has arrived, which may
 * never be.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  readonly #quotas: BodyQuotas;
  readonly #maxBodyBytes: number;

  constructor(
    @Inject(SETTINGS) { maxBodyBytes }: Settings,
    private readonly turns: Turns,
    private readonly inputs: InputPipe,
    private readonly files: TemporaryFiles,
  ) {
    this.#maxBodyBytes = maxBodyBytes;
    this.#quotas = new BodyQuotas(maxBodyBytes);
  }

  /** @throws Problem 400, 408, 413, 415 or 503 */
  async canActivate(execution: ExecutionContext): Promise<true> {
    // A WebSocket or a microservice has no body to read.
    if (execution.getType() !== 'http') return true;
    const http = execution.switchToHttp();
    const request = http.getRequest<Request>();
    const { context } = request;
    const { method } = context;
    const consumes = method ? method.consumes : consumedByNest(request);
    if (consumes) request.body = await this.#read(request, http.getResponse<Response>(), consumes);
    assertTakesQuery(request);
    // Nest starts the pipes of all arguments at once: the faults of the query come before those of the body.
    const query = consumes && context.operation?.query;
    if (query) await this.inputs.transform(request.query, { type: 'query', metatype: query });
    return true;
  }

  async #read(request: Request, response: Response, consumes: readonly string[]): Promise<unknown> {
    const { context } = request;
    // The request has already ended, while its token was looked up: nothing would release what it takes here.
    if (response.destroyed) throw new ClientGone();
    const format = readBodyFormat(request, consumes);
    const { streams, takesIdempotencyKey, maxBodyBytes } = context.operation?.declaration ?? {};
    context.idempotent = takesIdempotencyKey ? readIdempotentRequest(request, format) : undefined;
    if (!format) throw new InvalidRequest([BODY_MISSING]);
    const isStream = streams?.includes(format.type) === true;
    const maxBytes = isStream ? Infinity : Math.min(this.#maxBodyBytes, maxBodyBytes ?? Infinity);
    // Before the body is sent, where its length is announced.
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new BodyTooLarge(maxBytes);
    context.bodyShare = new BodyShare(context.client.name, this.#quotas, isStream);
    inviteBody(request, response);
    const hashed = format.type === MULTIPART_TYPE ? undefined : context.idempotent;
    if (isStream) {
      const file = this.files.open(context.client.name);
      return new RequestBody(request, format, maxBytes, hashed, file);
    }
    const body = format.createDecoder
      ? new RequestBody(request, format, maxBytes, hashed, undefined)
      : new PlainBody(request, maxBytes, hashed);
    return this.#readWhole(body, format.type, request, response);
  }

  async #readWhole(
    body: RequestBody | PlainBody,
    mediaType: string,
    request: Request,
    response: Response,
  ): Promise<unknown> {
    const bytes = await body.readAll();
    const { client } = request.context.bodyShare!;
    const turn = this.turns.wait(() => client, performance.now());
    if (turn) await turn;
    if (response.destroyed) throw new ClientGone();
    return WHOLE_BODY_READERS[mediaType]!(bytes, request, client);
  }
}

/** Sends `100 Continue` to a client that waits for it. HTTP/1.0 has no interim responses (RFC 9110 §10.1.1). */
function inviteBody({ headers, httpVersion }: Request, response: Response): void {
  if (headers.expect?.toLowerCase() === '100-continue' && httpVersion === '1.1') response.writeContinue();
}

/** Refuses a query where the operation takes none: no pipe sees it. @throws InvalidRequest */
function assertTakesQuery({ context, query }: Request): void {
  const { operation } = context;
  if (context.query === '' || !operation || operation.query || operation.declaration.ignoresQuery) return;
  const { faults } = readTexts(query as Texts, undefined, 'parameter');
  if (faults.length > 0) throw new InvalidRequest(faults);
}

/** Hashes the names and lengths of all fields, and then their texts, while other requests run. */
async function addFields(idempotent: IdempotentRequest, { texts }: Form, client: string): Promise<void> {
  idempotent.addBytes(
    JSON.stringify(texts, (_, value) => (typeof value === 'string' ? value.length : value)),
  );
  for (const text of Object.values(texts).flat())
    for await (const piece of inPieces(text, (same) => same, client)) idempotent.addBytes(piece);
}

/**
 * A handler without an `@Operation()` gets what Nest's body parser reads: JSON and forms. Others may read other bodies, such
 * as `FileInterceptor()`, or have read them, such as a middleware. Many clients send the type without a body.
 */
function consumedByNest({ headers, body }: Request): readonly string[] | undefined {
  const { type } = parseMediaType(headers['content-type'] ?? '');
  const isSent = (headers['transfer-encoding'] ?? headers['content-length'] ?? '0') !== '0';
  return isSent && body === undefined && [JSON_TYPE, FORM_TYPE].includes(type) ? [type] : undefined;
}
