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
  getComponent(name: string, isContainer?: boolean): React.ComponentType<Record<string, unknown>>;
  readonly specActions: {
    changeParamByIdentity(operation: PathMethod, parameter: Data, value: unknown): void;
    execute(request: { path: string; method: string; operation: Data }): void;
  };
  readonly specSelectors: {
    specResolvedSubtree(path: readonly string[]): Data;
  };
  readonly oas3Actions: {
    setRequestBodyValue(change: { pathMethod: PathMethod; value: unknown }): void;
  };
  readonly oas3Selectors: {
    requestBodyValue(path: string, method: string): unknown;
    requestContentType(path: string, method: string): string | null;
  };
}

/** A plug-in: new components, and wrappers for existing components, actions and selectors. */
export type Plugin = (system: System) => {
  readonly components?: Readonly<Record<string, React.ComponentType<never>>>;
  readonly wrapComponents?: Readonly<
    Record<string, (original: never, system: System) => React.ComponentType<never>>
  >;
  readonly statePlugins?: Readonly<
    Record<
      string,
      {
        readonly wrapActions?: Readonly<Record<string, (original: never, system: System) => unknown>>;
        readonly wrapSelectors?: Readonly<Record<string, () => () => unknown>>;
      }
    >
  >;
};

/** A request that Swagger UI is about to send. */
export interface OutgoingRequest {
  url: string;
  body?: unknown;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface IncomingResponse {
  readonly headers: Record<string, string | readonly string[]>;
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
    readonly responseInterceptor: (response: IncomingResponse) => IncomingResponse;
    readonly onComplete: () => void;
    readonly [option: string]: unknown;
  }): SwaggerUi;
}
