import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { constants } from 'node:buffer';
import { BodyTooLarge, InvalidRequest } from '../../problem-details/problems.js';
import { type Settings, SETTINGS } from '../../settings/settings.js';
import { FORM_TYPE, MULTIPART_TYPE, NDJSON_TYPE } from '../protocol/media-type.js';
import { type BodyFormat, readBodyFormat } from './body-format.js';
import { type BodyShare, BodyShares } from './body-shares.js';
import { ByteCollector } from './byte-collector.js';
import { clientOfRequest } from './client-address.js';
import { DecodedBody, DECODER_BYTES } from './decoded-body.js';
import { assertBoundary, decodeMultipartBody, decodeUrlencodedBody } from './form-bodies.js';
import { IdempotentRequest, readIdempotencyKey } from './idempotent-request.js';
import { BODY_MISSING, type BodyFields } from './input-reader.js';
import { rulesOf } from './input-rules.js';
import { decodeJsonBody } from './json-body.js';
import { RequestBodyStream } from './request-body-stream.js';
import type { RouteOperation } from './route-table.js';

/** A body that sends no byte for this long is rejected. */
const IDLE_TIMEOUT_MS = 30_000;

const MANY_ADVICE = ` To send many objects, write one a line, with the Content-Type ${NDJSON_TYPE}.`;

/**
 * Reads request bodies, within what each client may hold. body-parser is not used: it has no time limit, and sends a
 * 413 or 400 only after the whole body has arrived, which may never be.
 */
@Injectable()
export class RequestBodies {
  readonly #shares: BodyShares;
  readonly #maxBodyBytes: number;

  constructor(@Inject(SETTINGS) { maxBodyBytes }: Settings) {
    // A body becomes one string, and V8 limits its length.
    this.#maxBodyBytes = Math.min(maxBodyBytes, constants.MAX_STRING_LENGTH);
    this.#shares = new BodyShares(maxBodyBytes);
  }

  /**
   * Reads the body of a request. Malformed input is returned, not thrown, so that it is reported together with the
   * faults of the query.
   *
   * @returns undefined when the handler ignores the body, or reads it as the stream of the request's context
   * @throws Problem synchronously or as a rejection
   */
  read(request: Request, response: Response): BodyFields | Promise<BodyFields> | undefined {
    const { context } = request;
    const { consumes, declaration } = context.operation!;
    if (!consumes) return undefined;
    const format = readBodyFormat(request, consumes);
    if (declaration.takesIdempotencyKey) context.idempotent = idempotentRequestOf(request, format);
    if (!format) return { faults: [BODY_MISSING] };
    const client = clientOfRequest(request);
    if (declaration.streams?.includes(format.type)) {
      context.bodyShare = this.#shares.openStream(client);
      const body = this.#open(request, response, format, Infinity);
      context.bodyStream = new RequestBodyStream(format.type, body, context.bodyShare);
      return undefined;
    }
    context.bodyShare = this.#shares.openBody(client);
    const maxBodyBytes = Math.min(this.#maxBodyBytes, declaration.maxBodyBytes ?? Infinity);
    return this.#readFields(request, response, format, maxBodyBytes);
  }

  async #readFields(
    request: Request,
    response: Response,
    format: BodyFormat,
    maxBodyBytes: number,
  ): Promise<BodyFields> {
    const { bodyShare, operation } = request.context;
    try {
      // Rejected before the body is sent, not after.
      if (format.type === MULTIPART_TYPE) assertBoundary(format.boundary);
      if (format.coding) bodyShare!.hold(DECODER_BYTES);
      const body = this.#open(request, response, format, maxBodyBytes);
      const bytes = await readWhole(request, body, maxBodyBytes, bodyShare!);
      return { fields: decode(bytes, format, operation!) };
    } catch (error) {
      if (error instanceof InvalidRequest) return { faults: error.errors ?? [] };
      throw error;
    }
  }

  #open(request: Request, response: Response, { coding }: BodyFormat, maxSentBytes: number): DecodedBody {
    const { idempotent, bodyShare } = request.context;
    const body = new DecodedBody(request, {
      coding,
      maxSentBytes,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
      onReadStart: () => {
        if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
      },
      onBytes: idempotent && ((bytes) => idempotent.addBytes(bytes)),
    });
    bodyShare!.body = body;
    return body.once('close', () => (bodyShare!.body = undefined));
  }
}

/** @throws InvalidRequest */
function idempotentRequestOf(
  request: Request,
  format: BodyFormat | undefined,
): IdempotentRequest | undefined {
  const key = readIdempotencyKey(request);
  if (key === undefined) return undefined;
  // The service ignores credentials that it does not know, but a proxy in front of it may check them.
  const credentials = request.user.id ?? request.headers.authorization ?? '';
  const sender = { credentials, baseUrl: request.context.baseUrl };
  return new IdempotentRequest(key, sender, format);
}

/** The fields of a complete body. @throws InvalidRequest */
function decode(
  bytes: Buffer,
  { type, boundary }: BodyFormat,
  { body, declaration }: RouteOperation,
): Record<string, unknown> {
  if (type === FORM_TYPE) return decodeUrlencodedBody(bytes, rulesOf(body!));
  if (type === MULTIPART_TYPE) return decodeMultipartBody(bytes, boundary, rulesOf(body!));
  return decodeJsonBody(bytes, declaration.streams?.includes(NDJSON_TYPE) ? MANY_ADVICE : '');
}

/** @throws BodyTooLarge @throws TooManyBodies @throws as the body ends */
function readWhole(
  { headers }: Request,
  body: DecodedBody,
  maxBodyBytes: number,
  share: BodyShare,
): Promise<Buffer> {
  const collector = new ByteCollector();
  return new Promise((resolve, reject) => {
    body.once('error', reject).once('end', () => resolve(collector.toBuffer()));
    if (Number(headers['content-length'] ?? 0) > maxBodyBytes) {
      body.destroy(new BodyTooLarge(maxBodyBytes));
      return;
    }
    body.on('data', (chunk: Buffer) => {
      collector.add(chunk);
      try {
        if (collector.length > maxBodyBytes) throw new BodyTooLarge(maxBodyBytes);
        share.hold(chunk.length);
      } catch (refusal) {
        body.destroy(refusal as Error);
      }
    });
  });
}
