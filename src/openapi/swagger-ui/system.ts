import type * as React from 'react';

/** The part of Immutable.js maps and lists in Swagger UI's state that the plug-ins use. */
export interface Data {
  readonly size: number;
  get(key: string | number): unknown;
  getIn(path: readonly (string | number)[]): unknown;
  set(key: string, value: unknown): Data;
  toJS(): unknown;
}

/** The path as in the document and the method in lower case. They identify an operation in Swagger UI's state. */
export type PathMethod = readonly [path: string, method: string];

/**
 * The part of Swagger UI's system that the plug-ins use; see
 * https://swagger.io/docs/open-source-tools/swagger-ui/customization/plugin-api/
 */
export interface System {
  readonly React: typeof React;
  readonly specActions: {
    changeParamByIdentity(operation: PathMethod, parameter: Data, value: unknown): void;
    execute(request: { path: string; method: string; operation: Data }): void;
  };
  readonly specSelectors: {
    specJson(): Data;
    specResolvedSubtree(path: readonly string[]): Data;
    requestFor(path: string, method: string): Data | undefined;
    responseFor(path: string, method: string): Data | undefined;
  };
  readonly oas3Actions: {
    setRequestBodyValue(change: { pathMethod: PathMethod; value: unknown }): void;
  };
  readonly oas3Selectors: {
    requestBodyValue(path: string, method: string): unknown;
    requestContentType(path: string, method: string): string | null;
  };
}

/** Wrappers for Swagger UI's components, actions and selectors. */
export type Plugin = (system: System) => {
  readonly components?: Readonly<Record<string, React.ComponentType<never>>>;
  readonly fn?: Readonly<Record<string, (request: Data) => string>>;
  readonly wrapComponents?: Readonly<Record<string, (original: never) => React.ComponentType<never>>>;
  readonly statePlugins?: Readonly<
    Record<
      string,
      {
        readonly wrapActions?: Readonly<Record<string, (original: never) => unknown>>;
        readonly wrapSelectors?: Readonly<Record<string, () => () => unknown>>;
      }
    >
  >;
};

/** A request that Swagger UI is about to send. */
export interface OutgoingRequest {
  url: string;
  readonly method: string;
}

/** The last response of an operation, as Swagger UI stores it. */
export interface Received {
  readonly status: number;
  readonly statusText?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

/** A part of `errors` in a problem (docs/problems.md). */
export interface Fault {
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

/** The last response of an operation, with its JSON. */
export function received(
  specSelectors: System['specSelectors'],
  ...operation: PathMethod
): (Received & { readonly json: unknown }) | undefined {
  const response = specSelectors.responseFor(...operation)?.toJS() as Received | undefined;
  if (!response) return undefined;
  const isJson = /[/+]json\b/.test(response.headers?.['content-type'] ?? '');
  return { ...response, json: isJson && response.text ? (JSON.parse(response.text) as unknown) : undefined };
}

interface SwaggerUi {
  readonly layoutActions: { show(key: readonly string[], isShown: boolean): void };
  preauthorizeApiKey(scheme: string, token: string): void;
}

declare global {
  /** From swagger-ui-bundle.js, which the page loads first. */
  function SwaggerUIBundle(options: {
    readonly dom_id: string;
    readonly url: string;
    readonly plugins: readonly Plugin[];
    readonly requestInterceptor: (request: OutgoingRequest) => OutgoingRequest;
    readonly responseInterceptor: (response: {
      readonly headers: Record<string, string | readonly string[]>;
    }) => unknown;
    readonly onComplete: () => void;
    readonly [option: string]: unknown;
  }): SwaggerUi;
}
