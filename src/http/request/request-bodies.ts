import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { constants } from 'node:buffer';
import type { InputFault } from '../../problem-details/problem.js';
import { BodyTooLarge, InvalidRequest } from '../../problem-details/problems.js';
import { type Settings, SETTINGS } from '../../settings/settings.js';
import { InFlightRequests } from '../pipeline/in-flight-requests.js';
import type { RouteOperation } from '../pipeline/route-table.js';
import { FORM_TYPE, JSON_TYPE, MULTIPART_TYPE, NDJSON_TYPE } from '../protocol/media-type.js';
import type { ApiResponse } from '../response/api-response.js';
import { type BodyFormat, readBodyFormat } from './body-format.js';
import { type BodyShare, BodyShares } from './body-shares.js';
import { ByteCollector } from './byte-collector.js';
import { clientOfRequest } from './client-address.js';
import { DecodedBody, DECODER_BYTES } from './decoded-body.js';
import { decodeUrlencodedBody, type FormRules } from './form-bodies.js';
import { rulesOf } from './input-rules.js';
import { IdempotentRequest, readIdempotencyKey } from './idempotent-request.js';
import { decodeJsonBody } from './json-body.js';
import { assertBoundary, decodeMultipartBody } from './multipart-body.js';
import { RequestBodyStream } from './request-body-stream.js';

/** A body that sends no byte for this long is rejected. */
const IDLE_TIMEOUT_MS = 30_000;

const MANY_ADVICE = ` To send many objects, write one a line, with the Content-Type ${NDJSON_TYPE}.`;

/** The decoded body of a request, the same for all three formats. */
export type RequestBody =
  | { kind: 'absent' }
  | { kind: 'fields'; fields: Record<string, unknown> }
  | { kind: 'faulty'; faults: readonly InputFault[] };

/**
 * Reads request bodies, within what each client may hold. body-parser is not used: it has no time limit, and sends a
 * 413 or 400 only after the whole body has arrived, which may never be.
 */
@Injectable()
export class RequestBodies {
  readonly #shares: BodyShares;
  readonly #maxBodyBytes: number;

  constructor(
    @Inject(SETTINGS) { maxBodyBytes }: Settings,
    private readonly inFlightRequests: InFlightRequests,
  ) {
    this.#maxBodyBytes = maxBodyBytes;
    this.#shares = new BodyShares(maxBodyBytes);
  }

  /**
   * Sets the request context's body to the decoded body, or to a stream when the operation reads it itself.
   *
   * @returns undefined when the body needs no waiting
   * @throws Problem synchronously or as a rejection
   */
  read(operation: RouteOperation, request: Request, response: Response): Promise<void> | undefined {
    const { consumes, declaration, input } = operation;
    if (!consumes) return undefined;
    const { context } = request;
    const format = readBodyFormat(request, consumes);
    if (declaration.takesIdempotencyKey) {
      const key = readIdempotencyKey(request);
      const respond = (value: unknown): ApiResponse =>
        operation.respond(value as never, context) as ApiResponse;
      if (key !== undefined) {
        // The service ignores credentials that it does not know, but a proxy in front of it may check them.
        const credentials = request.user.id ?? request.headers.authorization ?? '';
        const sender = { credentials, baseUrl: context.baseUrl };
        context.idempotent = new IdempotentRequest(key, sender, format, respond);
      }
    }
    if (!format) return undefined;
    const client = clientOfRequest(request);
    if (declaration.streams?.includes(format.type)) {
      const share = this.#shares.openStream(client);
      context.bodyShare = share;
      const body = this.#open(request, response, format, share, Infinity);
      context.bodyStream = new RequestBodyStream(format.type, body, share);
      return undefined;
    }
    const share = this.#shares.openBody(client);
    context.bodyShare = share;
    if (format.coding) share.hold(DECODER_BYTES);
    // A body becomes one string, and V8 limits its length.
    const maxBodyBytes = Math.min(
      this.#maxBodyBytes,
      declaration.maxBodyBytes ?? Infinity,
      constants.MAX_STRING_LENGTH,
    );
    const arrayAdvice = declaration.streams?.includes(NDJSON_TYPE) ? MANY_ADVICE : undefined;
    return readFields(format, rulesOf(input.body!).forms, arrayAdvice, () =>
      readWhole(request, this.#open(request, response, format, share, maxBodyBytes), maxBodyBytes, share),
    ).then((body) => {
      context.body = body;
    });
  }

  #open(
    request: Request,
    response: Response,
    { coding }: BodyFormat,
    share: BodyShare,
    maxSentBytes: number,
  ): DecodedBody {
    const { idempotent } = request.context;
    const { reading } = this.inFlightRequests;
    const body = new DecodedBody(request, {
      coding,
      maxSentBytes,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
      onReadStart: () => {
        if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
      },
      onBytes: idempotent && ((bytes) => idempotent.addBytes(bytes)),
    });
    reading.add(body);
    share.mayEnd((reason) => void body.destroy(reason));
    return body.once('close', () => {
      reading.delete(body);
      share.mayEnd(undefined);
    });
  }
}

/**
 * Decodes a complete body. Malformed input is returned, not thrown, so that the caller can report it together with the
 * faults of the query.
 */
async function readFields(
  { type, boundary }: BodyFormat,
  forms: FormRules,
  arrayAdvice: string | undefined,
  read: () => Promise<Buffer>,
): Promise<RequestBody> {
  try {
    // Rejected before the body is sent, not after.
    if (type === MULTIPART_TYPE) assertBoundary(boundary);
    const bytes = await read();
    switch (type) {
      case JSON_TYPE:
        return { kind: 'fields', fields: decodeJsonBody(bytes, arrayAdvice) };
      case FORM_TYPE:
        return { kind: 'fields', fields: decodeUrlencodedBody(bytes, forms) };
      case MULTIPART_TYPE:
        return { kind: 'fields', fields: decodeMultipartBody(bytes, boundary, forms) };
      default:
        throw new Error(`No reader for a body of the type ${type}.`);
    }
  } catch (error) {
    if (error instanceof InvalidRequest) return { kind: 'faulty', faults: error.errors ?? [] };
    throw error;
  }
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
