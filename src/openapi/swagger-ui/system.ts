import type * as React from 'react';

/** The part of Immutable.js maps and lists in Swagger UI's state that the plug-in uses. */
export interface Data extends Iterable<Data> {
  get(key: string | number): unknown;
  getIn(path: readonly (string | number)[]): unknown;
  set(key: string, value: unknown): Data;
  toJS(): unknown;
}

/** The path as in the document and the method in lower case. They identify an operation in Swagger UI's state. */
export type PathMethod = readonly [path: string, method: string];

/**
 * The part of Swagger UI's system that the plug-in uses; see
 * https://swagger.io/docs/open-source-tools/swagger-ui/customization/plugin-api/
 */
export interface System {
  readonly specActions: {
    changeParamByIdentity(operation: PathMethod, parameter: Data, value: unknown): void;
    execute(request: { path: string; method: string; operation: Data }): void;
  };
  readonly specSelectors: {
    specJson(): Data;
    parameterWithMeta(operation: PathMethod, name: string, place: string): Data;
    mutatedRequestFor(...operation: PathMethod): Data | undefined;
    responseFor(...operation: PathMethod): Data | undefined;
  };
  readonly oas3Actions: { setRequestBodyValue(change: { pathMethod: PathMethod; value: unknown }): void };
  readonly oas3Selectors: {
    requestBodyValue(...operation: PathMethod): unknown;
    requestContentType(...operation: PathMethod): string | null;
  };
}

/** The properties of the component `execute`, the button of an operation. */
export interface ExecuteProps extends System {
  readonly operation: Data;
  readonly path: string;
  readonly method: string;
  readonly onExecute: () => void;
}

/** Components and actions that replace or wrap those of Swagger UI. A later plug-in wraps an earlier one. */
export type Plugin = (system: { readonly React: typeof React }) => object;

/** The last response of an operation. */
export interface Received {
  readonly status: number;
  readonly statusText?: string;
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
  return { ...response, json: isJson && response.text ? (JSON.parse(response.text) as unknown) : undefined };
}

/** A request that Swagger UI is about to send. */
export type OutgoingRequest = Record<'url', string>;

declare global {
  /** From swagger-ui-bundle.js, which the page loads first. */
  function SwaggerUIBundle(options: Readonly<Record<string, unknown>>): {
    readonly layoutActions: { show(key: readonly string[], isShown: boolean): void };
    readonly authActions: { restoreAuthorization(stored: { authorized: unknown }): void };
  };
}
