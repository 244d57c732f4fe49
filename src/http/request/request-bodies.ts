import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { InputFault } from '../../problem-details/problem.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { type Settings, SETTINGS } from '../../settings/settings.js';
import { FORM_TYPE, JSON_TYPE, MULTIPART_TYPE, NDJSON_TYPE, parseMediaType } from '../protocol/media-type.js';
import { type BodyFormat, readBodyFormat } from './body-format.js';
import { BodyQuotas, BodyShare } from './body-share.js';
import { clientOfRequest } from './client-address.js';
import { readMultipartForm, readUrlencodedForm, toValues } from './form-bodies.js';
import { readIdempotentRequest } from './idempotent-request.js';
import { rulesOf } from './input-rules.js';
import { decodeJsonBody } from './json-body.js';
import { ClientGone, RequestBody } from './request-body.js';
import type { RouteOperation } from './route-table.js';

/** The fields of a body, which are the same for all three formats. */
export type BodyFields = Readonly<Record<string, unknown>>;

export const BODY_MISSING: InputFault = {
  detail: 'The request needs a body.',
  code: 'required',
  pointer: '',
};

const MANY_ADVICE = ` To send many objects, write one a line, with the Content-Type ${NDJSON_TYPE}.`;

/**
 * Reads request bodies, within what each client may hold. body-parser is not used: it has no time limit, and sends a
 * 413 or 400 only after the whole body has arrived, which may never be.
 */
@Injectable()
export class RequestBodies {
  readonly #quotas: BodyQuotas;
  readonly #maxBodyBytes: number;

  constructor(@Inject(SETTINGS) { maxBodyBytes }: Settings) {
    this.#maxBodyBytes = maxBodyBytes;
    this.#quotas = new BodyQuotas(maxBodyBytes);
  }

  /**
   * Reads the body of a request.
   *
   * @returns its fields; the body itself, when the handler reads it as a stream; undefined when the handler ignores it
   * @throws Problem synchronously or as a rejection
   */
  read(request: Request, response: Response): Promise<BodyFields> | RequestBody | undefined {
    const { context } = request;
    const { operation = withoutOperation(request) } = context;
    const { consumes, declaration } = operation;
    if (!consumes) return undefined;
    // The request has already ended, while its token was looked up: nothing would release what it takes here.
    if (response.destroyed) throw new ClientGone();
    const format = readBodyFormat(request, consumes);
    if (declaration.takesIdempotencyKey) context.idempotent = readIdempotentRequest(request, format);
    if (!format) throw new InvalidRequest([BODY_MISSING]);
    const isStream = declaration.streams?.includes(format.type) === true;
    const maxBodyBytes = Math.min(this.#maxBodyBytes, declaration.maxBodyBytes ?? Infinity);
    const { idempotent } = context;
    const body = new RequestBody(request, format.type, {
      coding: format.coding,
      share: new BodyShare(clientOfRequest(request), this.#quotas, isStream),
      maxBytes: isStream ? Infinity : maxBodyBytes,
      onReadStart: () => {
        const { headers, httpVersion } = request;
        // HTTP/1.0 has no interim responses (RFC 9110 §10.1.1).
        const isExpected = headers.expect?.toLowerCase() === '100-continue' && httpVersion === '1.1';
        if (isExpected) response.writeContinue();
      },
      onBytes:
        idempotent && format.type !== MULTIPART_TYPE ? (bytes) => idempotent.addBytes(bytes) : undefined,
    });
    context.bodyShare = body.share;
    if (!isStream) return readFields(body, format, request, operation);
    context.bodyStream = body;
    return body;
  }
}

const PLAIN_TEXTS = { optional: new Set<string>(), fromText: (_: string, text: string) => text };

/**
 * What a handler without an `@Operation()` gets is what Nest's body parser reads: JSON and forms. A handler or an
 * interceptor may read other bodies from the request, as `FileInterceptor()` does.
 */
function withoutOperation({ headers }: Request): Pick<RouteOperation, 'body' | 'consumes' | 'declaration'> {
  const { type } = parseMediaType(headers['content-type'] ?? '');
  const isRead = type === JSON_TYPE || type === FORM_TYPE;
  return { body: undefined, consumes: isRead ? [type] : undefined, declaration: { name: '' } };
}

async function readFields(
  body: RequestBody,
  { type }: BodyFormat,
  { context, headers }: Request,
  { body: bodyClass, declaration }: Pick<RouteOperation, 'body' | 'declaration'>,
): Promise<BodyFields> {
  const rules = bodyClass ? rulesOf(bodyClass) : PLAIN_TEXTS;
  const bytes = await body.readAll();
  if (type === FORM_TYPE) return toValues(readUrlencodedForm(bytes), rules);
  if (type === MULTIPART_TYPE) {
    const form = await readMultipartForm(bytes, headers['content-type']!);
    // Clients use a new boundary for each request.
    context.idempotent?.addBytes(JSON.stringify(form));
    return toValues(form, rules);
  }
  const advice = declaration.streams?.includes(NDJSON_TYPE) ? MANY_ADVICE : '';
  return decodeJsonBody(bytes, advice);
}
