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
/** The query of the request that the address stands for, until that is sent. */
let ownQuery: string | undefined;
let isAwaited = false;

/**
 * What a browser that opens `/posts/7/` or `/posts/?search=x` is led to: the operation that the fragment names, filled in
 * with the query. Only a GET is sent by itself, so that no link can change anything.
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
    // Swagger UI's own way glides for a second, and away from a response that is there sooner.
    layout: { wrapActions: { scrollToElement: () => (element: Element) => element.scrollIntoView() } },
  },
});

/** Fills in the parameters that the address names. @returns the query of the request itself, as the address has it */
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

/** Asks for exactly what the address says, unknown and repeated parameters included: the service tells what is wrong. */
export function withOwnQuery(request: OutgoingRequest): OutgoingRequest {
  if (ownQuery === undefined || request.method !== 'GET') return request;
  const url = new URL(request.url, location.href);
  url.search = ownQuery;
  ownQuery = undefined;
  return Object.assign(request, { url: url.href });
}
