import type * as React from 'react';

/** The part of Immutable.js maps and lists in Swagger UI's state that the plug-ins use. */
export interface Data extends Iterable<Data> {
  readonly size: number;
  get(key: string | number): unknown;
  getIn(path: readonly (string | number)[]): unknown;
  has(key: string): boolean;
  set(key: string, value: unknown): Data;
  delete(key: string): Data;
  clear(): Data;
  map(change: (item: Data) => unknown): Data;
  filter(matches: (item: Data) => boolean): Data;
  keySeq(): Iterable<string> & { readonly size: number };
  toJS(): unknown;
}

/** The path as in the document and the method in lower case. They identify an operation in Swagger UI's state. */
export type PathMethod = readonly [path: string, method: string];

export const LIST: PathMethod = ['/posts/', 'get'];
export const POST: PathMethod = ['/posts/{id}/', 'get'];

/**
 * The part of Swagger UI's system that the plug-ins use; see
 * https://swagger.io/docs/open-source-tools/swagger-ui/customization/plugin-api/
 */
export interface System {
  readonly specActions: {
    changeParamByIdentity(operation: PathMethod, parameter: Data, value: unknown): void;
    execute(request: { path: string; method: string; operation: Data }): void;
    updateResolvedSubtree(path: readonly string[], value: unknown): void;
  };
  readonly specSelectors: {
    specJson(): Data;
    parameterWithMeta(operation: PathMethod, name: string, place: string): Data;
    mutatedRequestFor(...operation: PathMethod): Data | undefined;
    responseFor(...operation: PathMethod): Data | undefined;
  };
  readonly oas3Actions: {
    setRequestBodyValue(change: { pathMethod: PathMethod; value: unknown }): void;
    setResponseContentType(change: { path: string; method: string; value: string }): void;
  };
  readonly oas3Selectors: {
    requestBodyValue(...operation: PathMethod): unknown;
    requestContentType(...operation: PathMethod): string | null;
    responseContentType(...operation: PathMethod): string | null;
  };
  readonly layoutActions: { show(key: readonly string[], isShown: boolean): void };
  readonly authActions: {
    /** @param definitions what the dialog asks for; false closes it */
    showDefinitions(definitions: false): void;
    authorizeWithPersistOption(schemes: Readonly<Record<string, object>>): void;
    logoutWithPersistOption(schemes: readonly string[]): void;
    restoreAuthorization(stored: { authorized: unknown }): void;
  };
  readonly authSelectors: { authorized(): Data };
}

type GetComponent = (name: string) => React.ComponentType<Record<string, unknown>>;

/** The properties of the component `parameters`: all that an operation asks for, its body included. */
export interface ParametersProps extends System {
  readonly parameters: Data;
  readonly operation: Data;
  readonly pathMethod: PathMethod;
  readonly getComponent: GetComponent;
}

/** The properties of the component `execute`, the button of an operation. */
export interface ExecuteProps extends System {
  readonly operation: Data;
  readonly path: string;
  readonly method: string;
  readonly onExecute: () => void;
}

/** The properties of the component `responses`: the response to the last request, and the documented ones. */
export interface ResponsesProps extends System {
  readonly responses: Data;
  readonly tryItOutResponse: Data | null | undefined;
  readonly path: string;
  readonly method: string;
  readonly getComponent: GetComponent;
}

/** Components and actions that replace or wrap those of Swagger UI. A later plug-in wraps an earlier one. */
export type Plugin = (system: { readonly React: typeof React }) => object;

/** The last response of an operation. */
export interface Received {
  /** Without it, the request failed. */
  readonly status?: number;
  readonly statusText?: string;
  /** Why the request failed. */
  readonly message?: string;
  /** The status, if the connection broke after the header section. */
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly json: unknown;
}

export function received(
  specSelectors: System['specSelectors'],
  ...operation: PathMethod
): Received | undefined {
  const response = specSelectors.responseFor(...operation)?.toJS() as Received | undefined;
  if (!response) return undefined;
  const isJson = /[/+]json\b/.test(response.headers?.['content-type'] ?? '');
  return { ...response, json: isJson && response.text ? parsed(response.text) : undefined };
}

/** A response may have been cut off on its way. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A part of `errors` in a problem (docs/api/errors.md). */
export interface Fault {
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

/** The faults of the last request of an operation. */
export function faultsOf(specSelectors: System['specSelectors'], ...operation: PathMethod): readonly Fault[] {
  const { json } = received(specSelectors, ...operation) ?? {};
  return (json as { errors?: readonly Fault[] } | null | undefined)?.errors ?? [];
}

/** A request that Swagger UI is about to send. */
export type OutgoingRequest = Record<'url', string>;

declare global {
  /** From swagger-ui-bundle.js, which the page loads first. */
  function SwaggerUIBundle(options: Readonly<Record<string, unknown>>): System;
}
