import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { MetadataScanner, Reflector } from '@nestjs/core';
import { JSON_TYPE, PROBLEM_TYPE } from '../protocol/media-type.js';
import { type InputClass, rulesOf } from '../../input/index.js';
import { Access, type AccessRule } from './access.js';
import {
  Declaration,
  type OperationDeclaration,
  type RouteMethod,
  type RouteOperation,
} from './operation.js';
import { type Method, type Route, VARY, WRITES } from './route-table.js';

const reflector = new Reflector();
const HANDLED_METHODS = ['GET', 'POST', 'PUT', 'DELETE'];

interface Handler {
  readonly controller: Type;
  readonly name: string;
  readonly handle: Function;
  readonly method: Method;
  /** In OpenAPI's notation. */
  readonly path: string;
  readonly declaration: OperationDeclaration;
}

/**
 * The routes that the handlers of the controllers declare.
 *
 * @throws Error when two handlers disagree, when a handler does not say who may call it, or when the class of an argument is
 *   not known
 */
export function declaredRoutes(controllers: Iterable<Type>): readonly Route[] {
  const routes = new Map<string, Route>();
  for (const handler of [...controllers].flatMap(handlersOf)) {
    const { declaration, method, path } = handler;
    const { name, isOperational, answersAnyHost } = declaration;
    const former = routes.get(path);
    if (former && former.name !== name) fail(handler, `gives ${path} a second name: ${name}.`);
    const parameters = classOf(handler, RouteParamtypes.PARAM);
    const integers = parameters ? [...rulesOf(parameters).numbers] : former?.integers;
    const methods = { ...former?.methods, [method]: withOperation(former?.methods[method], handler) };
    routes.set(path, { name, path, isOperational, answersAnyHost, integers, methods });
  }
  return [...routes.values()];
}

/** A method of a path with one more handler. */
function withOperation(former: RouteMethod | undefined, handler: Handler): RouteMethod {
  const operation = operationOf(handler);
  const { produces, consumes } = operation;
  if (!former) return { operations: [operation], produces, consumes };
  if (!isDistinct(former, operation))
    fail(
      handler,
      `is a second handler of ${handler.method} ${handler.path} that takes, or else produces, the same media types.`,
    );
  const [first, ...others] = former.operations;
  // A cache that has one of the responses must know all fields by which the handler is chosen.
  const vary = [first, operation].find((each) => each.vary !== VARY)?.vary ?? VARY;
  return {
    operations: [{ ...first, vary }, ...others.map((each) => ({ ...each, vary })), { ...operation, vary }],
    produces: [...former.produces, ...produces.filter(({ mediaType }) => !offers(former, mediaType))],
    consumes: consumes && [...former.consumes!, ...consumes],
  };
}

/** Whether a request tells which of them it is for: by the media type of its body, or else by `Accept`. */
function isDistinct(former: RouteMethod, { produces, consumes }: RouteOperation): boolean {
  if ((former.consumes === undefined) !== (consumes === undefined)) return false;
  if (consumes) return consumes.every((type) => !former.consumes!.includes(type));
  const isNegotiated = former.produces.length > 0 && produces.length > 0;
  return isNegotiated && produces.every(({ mediaType }) => !offers(former, mediaType));
}

function offers({ produces }: RouteMethod, mediaType: string): boolean {
  return produces.some((each) => each.mediaType === mediaType);
}

function handlersOf(controller: Type): Handler[] {
  const prefix = (Reflect.getMetadata(PATH_METADATA, controller) as string | undefined) ?? '';
  const prototype = controller.prototype as Readonly<Record<string, Function>>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handle = prototype[name]!;
    const method = Reflect.getMetadata(METHOD_METADATA, handle) as RequestMethod | undefined;
    if (method === undefined) return [];
    if (argumentsOf({ controller, name }).some(([key]) => isOf(key, RouteParamtypes.RAW_BODY)))
      fail({ controller, name }, 'takes a @RawBody(), which is never set: a body is read once.');
    assertSaysWhoMayCall({ controller, name }, handle, RequestMethod[method]);
    const declaration = reflector.get(Declaration, handle) as OperationDeclaration | undefined;
    // Nest serves it as its documentation says.
    if (!declaration) return [];
    const pathOfHandler = Reflect.getMetadata(PATH_METADATA, handle) as unknown;
    if (
      typeof pathOfHandler !== 'string' ||
      pathOfHandler.includes('*') ||
      !HANDLED_METHODS.includes(RequestMethod[method])
    ) {
      fail(
        { controller, name },
        'has an @Operation(), which takes one path without a wildcard and no other method.',
      );
    }
    const slash = declaration.trailingSlash === false ? '' : '/';
    const path = `/${prefix}/${pathOfHandler}`
      .replaceAll(/\/+/g, '/')
      .replace(/\/$/, '')
      .replaceAll(/:(\w+)/g, '{$1}');
    return [
      { controller, name, handle, method: RequestMethod[method] as Method, path: path + slash, declaration },
    ];
  });
}

function operationOf(handler: Handler): RouteOperation {
  const { declaration, method } = handler;
  const { body, responses = {}, produces, streams, parameters = [] } = declaration;
  const [status, success] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? [];
  // A stream is no instance of a class with rules.
  const bodyClass = streams ? undefined : classOf(handler, RouteParamtypes.BODY);
  // A success without a body is acceptable even to a client that accepts only problems.
  const offered = status === '204' ? [JSON_TYPE, PROBLEM_TYPE] : Object.keys(success?.content ?? {});
  // No cache stores the response to a write.
  const isChosenByPrefer = method === 'GET' && parameters.some((each) => each.startsWith('Prefer'));
  return {
    declaration,
    produces: produces ?? offered.map((mediaType) => ({ mediaType })),
    consumes: body ? Object.keys(body.content) : (streams ?? (bodyClass && [JSON_TYPE])),
    query: classOf(handler, RouteParamtypes.QUERY),
    vary: isChosenByPrefer ? `${VARY}, Prefer` : VARY,
    access: accessOf(handler),
  };
}

/** Also of handlers without an `@Operation()`. A rule for anyone must be at the handler that writes, not at its controller. */
function assertSaysWhoMayCall(
  place: Pick<Handler, 'controller' | 'name'>,
  handle: Function,
  method: string,
): void {
  const ofHandler = reflector.get(Access, handle) as AccessRule | undefined;
  const ofController = reflector.get(Access, place.controller) as AccessRule | undefined;
  if (!ofHandler && !ofController) fail(place, 'does not say who may call it: @Access().');
  if (!ofHandler && 'anyone' in ofController! && (WRITES.has(method) || method === 'ALL'))
    fail(
      place,
      'writes, and only its controller says that anyone may call it: it needs an @Access() of its own.',
    );
}

function accessOf(handler: Handler): AccessRule {
  const rule = reflector.getAllAndOverride(Access, [handler.handle, handler.controller]);
  if (handler.declaration.cacheable && !('anyone' in rule))
    fail(handler, 'is cacheable, so that no guard sees its requests: its @Access() must be for anyone.');
  return rule;
}

/** An argument with a decorator such as `@Query('name')`, whose `data` is `name`; its key has its kind and its index. */
type Argument = [key: string, { readonly index: number; readonly data?: unknown }];

function argumentsOf({ controller, name }: Pick<Handler, 'controller' | 'name'>): readonly Argument[] {
  return Object.entries((Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as object);
}

const isOf = (key: string, kind: RouteParamtypes): boolean => key.startsWith(`${kind}:`);

/** The class of the handler's argument that has `@Query()`, `@Param()` or `@Body()`. */
function classOf(handler: Handler, kind: RouteParamtypes): InputClass | undefined {
  const argument = argumentsOf(handler).find(([key, { data }]) => isOf(key, kind) && data === undefined);
  if (!argument) return undefined;
  const prototype = handler.controller.prototype as object;
  const types = Reflect.getMetadata('design:paramtypes', prototype, handler.name) as InputClass[];
  const type = types[argument[1].index]!;
  // `import { type Dto }` leaves no class at run time, and validation would be off.
  if (rulesOf(type).fields.length === 0)
    fail(handler, 'has an argument whose class has no rules, or is imported as a type.');
  return type;
}

function fail({ controller, name }: Pick<Handler, 'controller' | 'name'>, fault: string): never {
  throw new Error(`${controller.name}.${name} ${fault}`);
}
