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
