import type * as React from 'react';
import type { Data, OutgoingRequest, Plugin, System } from './system.js';

interface ExecuteProps {
  readonly operation: Data;
  readonly path: string;
  readonly method: string;
  readonly specActions: System['specActions'];
  readonly onExecute: () => void;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly type?: string };
}

const address = new URL(location.href);
/** The query of the request that the page's address describes, until it is sent. */
let ownQuery: string | undefined;
let isAwaited = false;

/**
 * Handles a browser that was redirected from `/posts/7/` or `/posts/?search=x`: opens the operation in the fragment and
 * fills in the query. Only a GET is sent automatically, so that no link can change data.
 */
export const openedAddress: Plugin = ({ React }) => ({
  wrapComponents: {
    execute: (Execute: React.ComponentType<ExecuteProps>) =>
      function ExecuteAddress(props: ExecuteProps): React.ReactNode {
        const { operation, path, method, specActions, onExecute } = props;
        React.useEffect(() => {
          if (address.search === '' || operation.get('operationId') !== address.hash.split('/').at(-1))
            return;
          const query = fillIn(operation, (parameter, value) =>
            specActions.changeParamByIdentity([path, method], parameter, value),
          );
          address.search = '';
          if (method !== 'get') return;
          ownQuery = query;
          isAwaited = true;
          onExecute();
          specActions.execute({ operation, path, method });
        });
        return <Execute {...props} />;
      },
    liveResponse: (LiveResponse: React.ComponentType<object>) =>
      function AwaitedResponse(props: object): React.ReactNode {
        const element = React.useRef<HTMLDivElement>(null);
        React.useEffect(() => {
          if (isAwaited) element.current?.scrollIntoView();
          isAwaited = false;
        }, []);
        return (
          <div ref={element}>
            <LiveResponse {...props} />
          </div>
        );
      },
  },
  statePlugins: {
    // Swagger UI's own scrolling is animated for a second and scrolls away from a response that arrives earlier.
    layout: { wrapActions: { scrollToElement: () => (element: Element) => element.scrollIntoView() } },
  },
});

/** Fills in the parameters from the address. @returns the query of the request itself, as in the address */
function fillIn(operation: Data, set: (parameter: Data, value: unknown) => void): string {
  const query = address.searchParams;
  for (const parameter of operation.get('parameters') as Iterable<Data>) {
    const { name, in: place, schema } = parameter.toJS() as Parameter;
    const [first, ...others] = query.getAll(name);
    if (first === undefined || !['path', 'query'].includes(place)) continue;
    set(parameter, schema.type === 'array' ? [first, ...others].join(',').split(',') : first);
    if (place !== 'path') continue;
    query.delete(name);
    for (const other of others) query.append(name, other);
  }
  return query.toString();
}

/** Sends exactly the query of the address, unknown and repeated parameters included: the service reports the faults. */
export function withOwnQuery(request: OutgoingRequest): OutgoingRequest {
  if (ownQuery === undefined || request.method !== 'GET') return request;
  const url = new URL(request.url, location.href);
  url.search = ownQuery;
  ownQuery = undefined;
  return Object.assign(request, { url: url.href });
}

interface RequestBodyProps {
  readonly contentType: string | null;
}

/** Sends a form unchanged, empty fields included: the service reports all faults at once. */
export const wholeForms: Plugin = ({ React }) => ({
  wrapComponents: {
    // Fields report their values when they are mounted, so another form needs new fields.
    RequestBody: (Original: React.ComponentType<RequestBodyProps>) =>
      function RequestBodyOfType(props: RequestBodyProps): React.ReactNode {
        return React.createElement(Original, { ...props, key: props.contentType });
      },
  },
  statePlugins: {
    oas3: {
      wrapSelectors: {
        requestBodyInclusionSetting: () => () => ({ get: () => true }),
        validateShallowRequired: () => () => [],
      },
    },
  },
});

/** Sends the text of a multipart form exactly as typed. */
export function withExactText(request: OutgoingRequest): OutgoingRequest {
  return Object.assign(request, {
    userFetch: (url: string, options: RequestInit) =>
      fetch(url, options.body instanceof FormData ? { ...options, body: multipart(options.body) } : options),
  });
}

/**
 * The browser's encoding would convert every line break to CRLF (https://html.spec.whatwg.org/#multipart-form-data).
 */
function multipart(form: FormData): Blob {
  const boundary = `posts-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
  const parts = [...form].map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value as string}\r\n`,
  );
  return new Blob([...parts, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` });
}

const KEY = 'posts-docs.token';
/** The name of the security scheme in the document. */
const SCHEME = 'bearer';

type Authorize = (given: Readonly<Record<string, { readonly value?: string }>>) => void;
type LogOut = (schemes: readonly string[]) => void;

/** Keeps the entered token while the tab is open, so that a reload does not ask for it again. */
export const sessionToken: Plugin = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize:
          (original: Authorize): Authorize =>
          (given) => {
            const token = given[SCHEME]?.value;
            if (token !== undefined) sessionStorage.setItem(KEY, token);
            original(given);
          },
        logout:
          (original: LogOut): LogOut =>
          (schemes) => {
            sessionStorage.removeItem(KEY);
            original(schemes);
          },
      },
    },
  },
});

export function restoreToken(authorize: (scheme: string, token: string) => void): void {
  const token = sessionStorage.getItem(KEY);
  if (token !== null) authorize(SCHEME, token);
}
