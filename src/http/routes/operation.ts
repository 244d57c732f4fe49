import { applyDecorators, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExcludeEndpoint, ApiOperation, type OpenAPIObject } from '@nestjs/swagger';
import type { InputClass } from '../../input/index.js';
import { parseMediaType } from '../protocol/media-type.js';
import type { AccessRule } from './access.js';
import type { RequestField, ResponseField } from './field-names.js';

/** A representation of a route. One with `seeOther` is a redirect (303) to that path. */
export interface Representation {
  /** In lower case, without parameters: `text/csv`. */
  readonly mediaType: string;
  /** A media type that clients ask for: a 406 tells them to ask for this one. */
  readonly inPlaceOf?: string;
  readonly seeOther?: string;
}

/** A body of a media type: a DTO, a list of them (`[PostDto]`), or a schema. */
export interface MediaDocs {
  readonly type: Type | readonly [Type] | Schema;
  /** The alternative type, when the request selects it. */
  readonly or?: Type | readonly [Type];
  readonly example?: unknown;
}

type Schema = Exclude<
  NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string],
  { readonly $ref: string }
>;

type ContentDocs = Readonly<Record<string, MediaDocs>>;

export interface ResponseDocs {
  readonly description: string;
  /** The header fields besides those of all responses. */
  readonly headers?: readonly ResponseField[];
  readonly content?: ContentDocs;
}

/**
 * What a handler declares: the properties of its operation that do not follow from its method, path and arguments.
 * {@link RouteOperation} adds those that do, and the room openapi the responses of the middleware and the guards.
 */
export interface OperationDeclaration {
  /** The name of the route, the same for all methods of a path. Links are built from it. */
  readonly name: string;
  /**
   * Without a summary, the operation is not in the OpenAPI document; but it is a part of one with a summary that has the
   * same method and path, and takes or produces other media types.
   */
  readonly summary?: string;
  readonly description?: string;
  /** The request header fields on which the response depends. Parameters of the path and the query are arguments. */
  readonly parameters?: readonly RequestField[];
  /** The bodies that the operation takes, by media type. */
  readonly body?: { readonly description?: string; readonly content: ContentDocs };
  /**
   * A 200 with an ETag. It adds `If-None-Match` and 304, and `If-Match` and 412; with `Last-Modified` among its
   * headers, it also adds the conditions on dates.
   */
  readonly representation?: ResponseDocs;
  readonly responses?: Readonly<Record<number, ResponseDocs>>;
  /** The statuses of the problems that the handler throws. */
  readonly problems?: readonly number[];
  /** The response is for one user: nothing stores it. */
  readonly isPrivate?: boolean;
  /** The representations that `Accept` selects from; by default the media types of the documented success. */
  readonly produces?: readonly Representation[];
  /** The media types of the body that the handler reads as a stream. */
  readonly streams?: readonly string[];
  /** A repeated request is recognised by its Idempotency-Key and gets the response of the first. */
  readonly takesIdempotencyKey?: boolean;
  readonly maxBodyBytes?: number;
  /**
   * A success depends only on the URL, `Accept`, `Prefer` and the stored data. The cache may send it without running
   * guards, interceptors and the handler, until any data changes. `rowOf`: until the row of this table changes whose id
   * is in the path, because the response depends on no other one.
   */
  readonly cacheable?: true | { readonly rowOf: string };
  /** Exempt from the rate limit, from tokens and from the rejection of requests while the service stops. */
  readonly isOperational?: boolean;
  /** Exempt from ALLOWED_HOSTS: probes send an address as their host. */
  readonly answersAnyHost?: boolean;
  /** False where the canonical path does not end with a slash. */
  readonly trailingSlash?: false;
  readonly ignoresQuery?: boolean;
  /** The route of the created resource, for the `Location` of a 201, and its parameters beside those of this path. */
  readonly location?: (value: never) => readonly [routeName: string, parameters?: object];
}

/** Attaches its declaration to a handler. */
export const Declaration = Reflector.createDecorator<OperationDeclaration>();

/** Declares the operation of a handler, also for @nestjs/swagger. */
export function Operation(declared: OperationDeclaration): MethodDecorator {
  const declaration = writtenOut(declared);
  const { summary, description } = declaration;
  return applyDecorators(
    Declaration(declaration),
    summary === undefined
      ? ApiExcludeEndpoint()
      : ApiOperation({ summary, ...(description !== undefined && { description }) }),
  );
}

/** Writes out what a `representation` means: its responses, conditions and problems. */
function writtenOut(declared: OperationDeclaration): OperationDeclaration {
  const { representation, parameters = [], responses, problems = [] } = declared;
  if (!representation) return declared;
  const headers: readonly ResponseField[] = ['ETag', ...(representation.headers ?? [])];
  const dates: readonly RequestField[] = ['If-Unmodified-Since', 'If-Modified-Since'];
  const current =
    'The representation of the client is still current, by `If-None-Match` or `If-Modified-Since`.';
  return {
    ...declared,
    parameters: [
      ...parameters,
      'If-Match',
      'If-None-Match',
      ...(headers.includes('Last-Modified') ? dates : []),
    ],
    responses: { ...responses, 200: { ...representation, headers }, 304: { description: current, headers } },
    problems: [...problems, 400, 412],
  };
}

/** What a handler declares, and what declared-routes.ts derives from the handler. */
export interface RouteOperation {
  readonly declaration: OperationDeclaration;
  /** Empty when `Accept` is ignored. */
  readonly produces: readonly Representation[];
  /** The media types of the request body; undefined when a body is ignored. */
  readonly consumes: readonly string[] | undefined;
  /** The class of `@Query()`. Without one, the query must be empty. */
  readonly query: InputClass | undefined;
  /** The request fields on which its successes depend, for `Vary`. */
  readonly vary: string;
  /** From its `@Access()`. */
  readonly access: AccessRule;
}

/** A method of a path, whose handlers differ in the media types that they take or produce. */
export interface RouteMethod {
  readonly operations: readonly [RouteOperation, ...RouteOperation[]];
  /** What its operations produce, all together. */
  readonly produces: RouteOperation['produces'];
  /** What its operations consume, all together. */
  readonly consumes: RouteOperation['consumes'];
}

/**
 * The operation that a request is for, by the representation that `Accept` selected, and by the media type of the body.
 * Where none fits, the first one, which is refused.
 */
export function operationFor(
  { operations }: RouteMethod,
  representation: Representation | undefined,
  contentType: string | undefined,
): RouteOperation {
  const [first, ...others] = operations;
  if (others.length === 0) return first;
  const type = contentType === undefined ? undefined : parseMediaType(contentType).type;
  const isMeant = ({ produces, consumes }: RouteOperation): boolean =>
    consumes ? type !== undefined && consumes.includes(type) : produces.includes(representation!);
  return operations.find(isMeant) ?? first;
}
