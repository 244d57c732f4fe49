import type * as React from 'react';
import type { Data, ExecuteProps, OutgoingRequest, PathMethod, Plugin, System } from './system.js';

type Parameter = Record<'name' | 'in', string> & { required?: boolean; schema: { type?: string } };

const address = new URL(location.href);
let isOpened = false;
/** The query of the request that the page's address describes, until it is sent. */
let ownQuery: URLSearchParams | undefined;

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
          const isComplete = fillIn(props);
          if (method !== 'get' || !isComplete) return;
          onExecute();
          specActions.execute({ operation, path, method });
        });
        return React.createElement(Execute, props);
      },
  },
  statePlugins: {
    // Swagger UI's own scrolling is animated for a second and scrolls away from a response that arrives earlier.
    layout: { wrapActions: { scrollToElement: () => (element: Element) => element.scrollIntoView() } },
  },
});

/** Fills in the parameters from the address. @returns whether all required ones are there */
function fillIn({ operation, path, method, specActions }: ExecuteProps): boolean {
  ownQuery = new URLSearchParams(address.search);
  let isComplete = true;
  for (const data of (operation.get('parameters') ?? []) as Iterable<Data>) {
    const { name, in: place, required, schema } = data.toJS() as Parameter;
    const values = place === 'header' ? [] : address.searchParams.getAll(name);
    if (values.length === 0) {
      isComplete &&= required !== true;
      continue;
    }
    const value = schema.type === 'array' ? values.join(',').split(',') : values[0];
    specActions.changeParamByIdentity([path, method], data, value);
    if (place === 'path') ownQuery.delete(name);
  }
  return isComplete;
}

/** Sends exactly the query of the address, unknown and repeated parameters included: the service reports the faults. */
export function withOwnQuery(request: OutgoingRequest): OutgoingRequest {
  const url = new URL(request.url, location.href);
  if (ownQuery) url.search = ownQuery.toString();
  ownQuery = undefined;
  return Object.assign(request, { url: url.href });
}

/** The address that opens an operation in the form. @param query as in the address of a request */
export function addressOf(
  specSelectors: System['specSelectors'],
  [path, method]: PathMethod,
  query: URLSearchParams,
): string | undefined {
  const operation = specSelectors.specJson().getIn(['paths', path, method]) as Data | undefined;
  if (!operation) return undefined;
  const fragment = `#/${String(operation.getIn(['tags', 0]))}/${String(operation.get('operationId'))}`;
  return `${location.pathname}${query.size === 0 ? '' : `?${query}`}${fragment}`;
}

/** The parameters of a sent request, those of its path included, as a query. */
export function parametersOf(path: string, requestUrl: string): URLSearchParams {
  const url = new URL(requestUrl, location.href);
  const pattern = new RegExp(`${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  const { groups = {} } = pattern.exec(decodeURIComponent(url.pathname)) ?? {};
  return new URLSearchParams([...Object.entries(groups), ...url.searchParams]);
}
