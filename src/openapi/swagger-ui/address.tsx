import type * as React from 'react';
import type { Data, OutgoingRequest, PathMethod, Plugin, System } from './system.js';

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
  readonly required?: boolean;
  readonly schema: { readonly type?: string };
}

const address = new URL(location.href);
/** The query of the request that the page's address describes, until it is sent. */
let ownQuery: string | undefined;
let isOpened = false;

/**
 * Opens what the address of the page describes: `?id=7#/posts/getPost`, to which a browser is redirected from
 * `/posts/7/`. The parameters are filled in. Only a GET is sent automatically, so that no link can change data.
 */
export const openedAddress: Plugin = ({ React }) => ({
  wrapComponents: {
    execute: (Execute: React.ComponentType<ExecuteProps>) =>
      function ExecuteAddress(props: ExecuteProps): React.ReactNode {
        const { operation, path, method, specActions, onExecute } = props;
        React.useEffect(() => {
          if (isOpened || operation.get('operationId') !== address.hash.split('/').at(-1)) return;
          isOpened = true;
          const filled = fillIn(operation, (parameter, value) =>
            specActions.changeParamByIdentity([path, method], parameter, value),
          );
          if (method !== 'get' || !filled.isComplete) return;
          ownQuery = filled.query;
          onExecute();
          specActions.execute({ operation, path, method });
        });
        return <Execute {...props} />;
      },
  },
  statePlugins: {
    // Swagger UI's own scrolling is animated for a second and scrolls away from a response that arrives earlier.
    layout: { wrapActions: { scrollToElement: () => (element: Element) => element.scrollIntoView() } },
  },
});

/** Fills in the parameters from the address. @returns the query of the request itself, as in the address */
function fillIn(
  operation: Data,
  set: (parameter: Data, value: unknown) => void,
): { query: string; isComplete: boolean } {
  const query = new URLSearchParams(address.search);
  let isComplete = true;
  for (const parameter of (operation.get('parameters') ?? []) as Iterable<Data>) {
    const { name, in: place, required, schema } = parameter.toJS() as Parameter;
    const [first, ...others] = query.getAll(name);
    if (first === undefined || !['path', 'query'].includes(place)) {
      isComplete &&= required !== true;
      continue;
    }
    set(parameter, schema.type === 'array' ? [first, ...others].join(',').split(',') : first);
    if (place !== 'path') continue;
    query.delete(name);
    for (const other of others) query.append(name, other);
  }
  return { query: query.toString(), isComplete };
}

/** Sends exactly the query of the address, unknown and repeated parameters included: the service reports the faults. */
export function withOwnQuery(request: OutgoingRequest): OutgoingRequest {
  if (ownQuery === undefined || request.method !== 'GET') return request;
  const url = new URL(request.url, location.href);
  url.search = ownQuery;
  ownQuery = undefined;
  return Object.assign(request, { url: url.href });
}

/** The address that opens an operation in the form. @param query as in the address of a request */
export function addressOf(
  specSelectors: System['specSelectors'],
  [path, method]: PathMethod,
  query: string,
): string | undefined {
  const operation = specSelectors.specJson().getIn(['paths', path, method]) as Data | undefined;
  if (!operation) return undefined;
  const fragment = `#/${String(operation.getIn(['tags', 0]))}/${String(operation.get('operationId'))}`;
  return `${location.pathname}${query === '' ? '' : `?${query}`}${fragment}`;
}

/** The parameters of a sent request, those of its path included, as a query. */
export function parametersOf(path: string, requestUrl: string): string {
  const url = new URL(requestUrl, location.href);
  const [sent, names] = [url.pathname.split('/').toReversed(), path.split('/').toReversed()];
  const parameters = new URLSearchParams();
  for (const [index, name] of names.entries())
    if (name.startsWith('{')) parameters.append(name.slice(1, -1), decodeURIComponent(sent[index]!));
  for (const [name, value] of url.searchParams) parameters.append(name, value);
  return parameters.toString();
}
