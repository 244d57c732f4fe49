import type * as React from 'react';
import { addressOf, parametersOf } from './address.js';
import { type Plugin, received, type System } from './system.js';

interface OperationProps {
  readonly path: string;
  readonly method: string;
  readonly specSelectors: System['specSelectors'];
}

interface Link {
  readonly label: string;
  readonly href: string;
}

const RELATIONS: Readonly<Record<string, string>> = {
  first: 'First page',
  prev: 'Previous page',
  next: 'Next page',
};

/**
 * Shows the outcome of a request: the status beside the button, scrolled into view, and what to do next as links. The
 * address of the page follows the request, so that it can be kept.
 */
export const outcome: Plugin = ({ React }) => {
  function Posts({ path, specSelectors, json }: Pick<OperationProps, 'path' | 'specSelectors'> & Json) {
    const isListed = addressOf(specSelectors, [`${path}{id}/`, 'get'], '') !== undefined;
    if (!isListed || !Array.isArray(json) || json.length === 0) return null;
    return (
      <ul className="posts">
        {(json as { id?: number; title?: string }[]).map(({ id, title }) =>
          id === undefined ? null : (
            <li key={id}>
              <a href={`..${path}${id}/`}>{id}</a> <bdi>{title}</bdi>
            </li>
          ),
        )}
      </ul>
    );
  }

  return {
    wrapComponents: {
      execute: (Execute: React.ComponentType<OperationProps>) =>
        function ExecuteWithStatus(props: OperationProps): React.ReactNode {
          const { specSelectors, path, method } = props;
          const response = received(specSelectors, path, method);
          return (
            <>
              <Execute {...props} />
              <output className="outcome">
                {response && `${response.status} ${response.statusText ?? ''}`}
              </output>
            </>
          );
        },
      liveResponse: (LiveResponse: React.ComponentType<OperationProps>) =>
        function ResponseWithLinks(props: OperationProps): React.ReactNode {
          const { specSelectors, path, method } = props;
          const element = React.useRef<HTMLDivElement>(null);
          const latest = specSelectors.responseFor(path, method);
          const url = String(specSelectors.requestFor(path, method)?.get('url'));
          const query = parametersOf(path, url);
          React.useEffect(() => {
            history.replaceState(null, '', addressOf(specSelectors, [path, method], query));
            element.current?.closest('.opblock')?.querySelector('.btn.execute')?.scrollIntoView();
          }, [latest, path, method, query, specSelectors]);
          const response = received(specSelectors, path, method)!;
          return (
            <div ref={element} className="outcome-details">
              <nav aria-label="Next steps">
                {linksOf(response.headers ?? {})
                  .concat(response.status === 200 ? changesOf(specSelectors, path, query) : [])
                  .map(({ label, href }) => (
                    <a key={label} href={href}>
                      {label}
                    </a>
                  ))}
              </nav>
              {response.status === 200 && <Posts {...props} json={response.json} />}
              <LiveResponse {...props} />
            </div>
          );
        },
    },
  };
};

interface Json {
  readonly json: unknown;
}

/** The links in the header fields `Location` and `Link` (RFC 8288). */
function linksOf({ location: created, link = '' }: Readonly<Record<string, string>>): Link[] {
  const links = [...link.matchAll(/<([^>]*)>; *rel="(\w+)"/g)].flatMap(([, href, relation]) => {
    const label = RELATIONS[relation!];
    return label === undefined ? [] : [{ label, href: href! }];
  });
  return created === undefined ? links : [{ label: 'Open the post', href: created }, ...links];
}

/** Links to the forms that change the resource of this path. */
function changesOf(specSelectors: System['specSelectors'], path: string, query: string): Link[] {
  if (!path.includes('{')) return [];
  const targets = { put: 'Edit', delete: 'Delete' };
  return Object.entries(targets).flatMap(([method, label]) => {
    const href = addressOf(specSelectors, [path, method], query);
    return href === undefined ? [] : [{ label, href }];
  });
}
