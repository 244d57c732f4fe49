import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector } from '@nestjs/core';
import { JSON_TYPE, PROBLEM_TYPE } from '../protocol/media-type.js';
import type { InputClass } from '../request/input-rules.js';
import { Roles } from '../request/roles.js';
import { ApiResponse } from '../response/api-response.js';
import { declarationOf, type OperationDeclaration } from './operation.decorator.js';
import { type Method, METHODS, type Route, type RouteOperation, WRITES } from './route-table.js';

interface Handler {
  readonly controller: Type;
  readonly name: string;
  readonly method: Method;
  /** In OpenAPI's notation, without the trailing slash. */
  readonly path: string;
  readonly declaration: OperationDeclaration;
}

/**
 * The routes that the handlers of the controllers declare.
 *
 * @throws Error when a handler has no declaration or a declaration no handler, when two handlers disagree, or when a
 *   handler that writes has no `@Roles()`
 */
export function declaredRoutes(controllers: Iterable<Type>): readonly Route[] {
  const routes = new Map<string, Route>();
  const byName = new Map<string, string>();
  for (const handler of [...controllers].flatMap(handlersOf)) {
    const { method, declaration } = handler;
    const path = canonicalPath(handler);
    const other = routes.get(path);
    if (other?.operations[method]) fail(handler, `is a second handler of ${method} ${path}.`);
    if ((other && other.name !== declaration.name) || (byName.get(declaration.name) ?? path) !== path) {
      fail(handler, `gives ${path} a name that does not stand for it alone: ${declaration.name}.`);
    }
    byName.set(declaration.name, path);
    const operation = operationOf(handler);
    routes.set(path, {
      ...other,
      ...routeOf(handler, path),
      operations: { ...other?.operations, [method]: operation },
    });
    if (declaration.below !== undefined) {
      routes.set(`${path}*`, {
        ...routeOf(handler, `${path}*`),
        name: declaration.below.name,
        except: declaration.below.except,
        handledAt: path,
        operations: { [method]: operation },
      });
    }
  }
  return [...routes.values()];
}

function handlersOf(controller: Type): Handler[] {
  const prototype = controller.prototype as object;
  const prefix = [Reflect.getMetadata(PATH_METADATA, controller) as string | string[]].flat()[0] ?? '';
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
    if (typeof handler !== 'function') return [];
    const declaration = declarationOf(handler);
    const requestMethod = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    const where = { controller, name };
    if (requestMethod === undefined) {
      if (declaration) fail(where, 'declares an operation, but no method and path such as @Get().');
      return [];
    }
    if (!declaration) fail(where, 'handles requests, but does not declare its @Operation().');
    const method = METHODS.find((each) => each === RequestMethod[requestMethod]);
    if (!method) fail(where, `handles ${RequestMethod[requestMethod]}, which no route of this service has.`);
    const suffix = Reflect.getMetadata(PATH_METADATA, handler) as string;
    const path = `/${prefix}/${suffix}`
      .replaceAll(/\/+/g, '/')
      .replace(/\/$/, '')
      .replaceAll(/:(\w+)/g, '{$1}');
    return [{ controller, name, method, path, declaration }];
  });
}

function canonicalPath({ path, declaration }: Handler): string {
  return declaration.trailingSlash === false ? path : `${path}/`;
}

function routeOf(
  { controller, name: handler, declaration }: Handler,
  path: string,
): Omit<Route, 'operations'> {
  const { name, isOperational, answersAnyHost } = declaration;
  return {
    name,
    path,
    parameters: argumentClass(controller, handler, RouteParamtypes.PARAM),
    ...(isOperational && { isOperational }),
    ...(answersAnyHost && { answersAnyHost }),
  };
}

function operationOf(handler: Handler): RouteOperation {
  const { controller, name, declaration } = handler;
  const { body, representation, responses = {}, produces, streams, check } = declaration;
  const { ignoresQuery = false, addsFaults = false } = declaration;
  const [status, success] = representation
    ? ['200', representation]
    : (Object.entries(responses).find(([each]) => each.startsWith('2')) ?? []);
  const bodyClass = argumentClass(controller, name, RouteParamtypes.BODY);
  const offered = status === '204' ? [JSON_TYPE, PROBLEM_TYPE] : Object.keys(success?.content ?? {});
  return {
    id: name,
    // A success without a body is acceptable even to a client that accepts only problems.
    produces: produces ?? offered.map((mediaType) => ({ mediaType })),
    offersForm: produces?.some(({ seeOther }) => seeOther !== undefined) === true,
    consumes: body ? Object.keys(body.content) : (streams ?? (bodyClass && [JSON_TYPE])),
    input: {
      query: argumentClass(controller, name, RouteParamtypes.QUERY),
      body: bodyClass,
      check,
      ignoresQuery,
      addsFaults,
    },
    ...accessOf(handler),
    respond: declaration.respond ?? (status === '204' ? noContent : (response: ApiResponse) => response),
    declaration,
  };
}

function accessOf(handler: Handler): Pick<RouteOperation, 'needs' | 'role'> {
  const { controller, name, method, declaration } = handler;
  const roles = new Reflector().getAllAndOverride(Roles, [
    Reflect.get(controller.prototype as object, name) as Function,
    controller,
  ]);
  if (roles === undefined) {
    if (WRITES.has(method) || declaration.needsSession)
      fail(handler, 'does not say who may call it: @Roles().');
    return { needs: 'nothing', role: undefined };
  }
  if (roles === 'anyone') return { needs: 'nothing', role: undefined };
  return { needs: declaration.needsSession ? 'session' : 'token', role: roles };
}

function noContent(): ApiResponse {
  return new ApiResponse({ status: 204 });
}

/** The class of the handler's argument that has `@Query()`, `@Param()` or `@Body()`. */
function argumentClass(controller: Type, name: string, kind: RouteParamtypes): InputClass | undefined {
  const decorated = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) as
    Readonly<Record<string, { index: number; data?: unknown }>> | undefined;
  const key = Object.keys(decorated ?? {}).find((each) => each.startsWith(`${kind}:`));
  if (key === undefined) return undefined;
  const { index, data } = decorated![key]!;
  if (data !== undefined) {
    fail({ controller, name }, `takes ${JSON.stringify(data)} alone; take all by a class, which lists them.`);
  }
  const types = Reflect.getMetadata(
    'design:paramtypes',
    controller.prototype as object,
    name,
  ) as readonly InputClass[];
  const type = types[index];
  if (!type || (type as unknown) === Object) {
    fail({ controller, name }, 'takes an argument without a class, by which the input would be checked.');
  }
  return type;
}

function fail({ controller, name }: Pick<Handler, 'controller' | 'name'>, fault: string): never {
  throw new Error(`${controller.name}.${name} ${fault}`);
}
