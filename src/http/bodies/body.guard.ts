import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BodyTooLarge, type InputFault, InvalidRequest } from '../../problem-details/index.js';
import { type Settings, SETTINGS } from '../../settings/settings.js';
import { Turns } from '../../limits/turns.js';
import { FORM_TYPE, JSON_TYPE, MULTIPART_TYPE, NDJSON_TYPE, parseMediaType } from '../protocol/media-type.js';
import { readBodyFormat } from './body-format.js';
import { BodyQuotas, BodyShare } from './body-quotas.js';
import { clientOfRequest } from '../client/client-address.js';
import { readMultipartForm, readUrlencodedForm } from './forms.js';
import { readIdempotentRequest } from './idempotent-request.js';
import { readTexts, type Texts } from './field-texts.js';
import { decodeJsonBody } from '../../input/index.js';
import { RequestBody } from './request-body.js';
import { ClientGone } from '../client/client-gone.js';

const BODY_MISSING: InputFault = {
  detail: 'The request needs a body.',
  code: 'required',
  pointer: '',
};

const MANY_ADVICE = ` To send many objects, write one a line, with the Content-Type ${NDJSON_TYPE}.`;

/**
 * Reads the body of a request whose sender may call the handler, within what each client may hold: a guard, because it
 * runs after AccessGuard and before the pipes. `request.body` is then an object of the body's fields, a `Form`, or the body
 * as a stream. Refuses a query where the operation takes none, because no pipe sees it.
 *
 * body-parser is not used: it has no time limit, and sends a 413 or 400 only after the whole body has arrived, which may
 * never be.
 */
@Injectable()
export class InputGuard implements CanActivate {
  readonly #quotas: BodyQuotas;
  readonly #maxBodyBytes: number;

  constructor(
    @Inject(SETTINGS) { maxBodyBytes }: Settings,
    private readonly turns: Turns,
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
    const { method, operation, query } = request.context;
    const consumes = method ? method.consumes : consumedByNest(request);
    if (consumes) request.body = await this.#read(request, http.getResponse<Response>(), consumes);
    if (query !== '' && operation && !operation.query && !operation.declaration.ignoresQuery) {
      const faults: InputFault[] = [];
      readTexts(request.query as Texts, undefined, 'parameter', faults);
      if (faults.length > 0) throw new InvalidRequest(faults);
    }
    return true;
  }

  async #read(request: Request, response: Response, consumes: readonly string[]): Promise<unknown> {
    const { context, headers, httpVersion } = request;
    // The request has already ended, while its token was looked up: nothing would release what it takes here.
    if (response.destroyed) throw new ClientGone();
    const format = readBodyFormat(request, consumes);
    const {
      streams = [],
      takesIdempotencyKey,
      maxBodyBytes = Infinity,
    } = context.operation?.declaration ?? {};
    const idempotent = takesIdempotencyKey ? readIdempotentRequest(request, format) : undefined;
    context.idempotent = idempotent;
    if (!format) throw new InvalidRequest([BODY_MISSING]);
    const { type } = format;
    const isStream = streams.includes(type);
    const maxBytes = isStream ? Infinity : Math.min(this.#maxBodyBytes, maxBodyBytes);
    // Before the body is sent, where its length is announced.
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw new BodyTooLarge(maxBytes);
    context.bodyShare = new BodyShare(clientOfRequest(request), this.#quotas, isStream);
    // HTTP/1.0 has no interim responses (RFC 9110 §10.1.1).
    if (headers.expect?.toLowerCase() === '100-continue' && httpVersion === '1.1') response.writeContinue();
    const hashed = type === MULTIPART_TYPE ? undefined : idempotent;
    const body = new RequestBody(request, format, maxBytes, hashed);
    if (isStream) return body;
    const bytes = await body.readAll();
    const turn = this.turns.wait(() => clientOfRequest(request), performance.now());
    if (turn) await turn;
    if (response.destroyed) throw new ClientGone();
    if (type === JSON_TYPE)
      return decodeJsonBody(bytes, consumes.includes(NDJSON_TYPE) ? MANY_ADVICE : '', !context.operation);
    if (type === FORM_TYPE) {
      const form = readUrlencodedForm(bytes);
      return context.operation ? form : form.texts;
    }
    const form = await readMultipartForm(bytes, headers['content-type']!);
    // Clients use a new boundary for each request.
    idempotent?.addBytes(JSON.stringify(form));
    return form;
  }
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
