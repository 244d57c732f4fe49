import type * as React from 'react';
import { addressOf, parametersOf } from './address.js';
import { type ExecuteProps, type Plugin, type Received, received } from './system.js';

type Link = readonly [label: string | number, href: string, title?: string];

const RELATIONS: Readonly<Record<string, string>> = {
  first: 'First page',
  prev: 'Previous page',
  next: 'Next page',
};

/**
 * Shows the outcome of a request beside the button: the status, scrolled into view, and what to do next as links. The
 * address of the page follows the request, so that it can be kept.
 */
export const outcome: Plugin = ({ React }) => ({
  wrapComponents: {
    execute: (Execute: React.ComponentType<ExecuteProps>) =>
      function ExecuteWithOutcome(props: ExecuteProps): React.ReactNode {
        const { specSelectors, path, method } = props;
        const latest = specSelectors.responseFor(path, method);
        const response = received(specSelectors, path, method);
        const query = parametersOf(path, String(specSelectors.mutatedRequestFor(path, method)?.get('url')));
        const ownAddress = latest && addressOf(specSelectors, [path, method], query);
        const element = React.useRef<HTMLOutputElement>(null);
        React.useEffect(() => {
          if (!latest) return;
          history.replaceState(null, '', ownAddress);
          element.current!.scrollIntoView();
        }, [latest, ownAddress]);
        return (
          <>
            <Execute {...props} />
            <output className="outcome" ref={element}>
              {response && `${response.status} ${response.statusText ?? ''}`}
            </output>
            <ul className="next-steps" aria-label="Next steps">
              {(response ? nextSteps(response, query, props) : []).map(([label, href, title]) => (
                <li key={label}>
                  <a href={href}>{label}</a> <bdi>{title}</bdi>
                </li>
              ))}
            </ul>
          </>
        );
      },
  },
});

/** The created post (`Location`), other pages (`Link`, RFC 8288), the posts of a list, and the forms that change a post. */
function nextSteps(
  { status, headers = {}, json }: Received,
  query: URLSearchParams,
  { specSelectors, path }: ExecuteProps,
): Link[] {
  const { location: created, link = '' } = headers;
  const steps: Link[] = created === undefined ? [] : [['Open the post', created]];
  for (const [, href, relation] of link.matchAll(/<([^>]*)>; *rel="(\w+)"/g))
    if (RELATIONS[relation!]) steps.push([RELATIONS[relation!]!, href!]);
  if (status === 200 && path === '/posts/{id}/')
    for (const [label, method] of [['Edit', 'put'] as const, ['Delete', 'delete'] as const])
      steps.push([label, addressOf(specSelectors, [path, method], query)!]);
  if (path === '/posts/' && Array.isArray(json))
    for (const { id, title } of json as { id?: number; title?: string }[])
      if (id !== undefined) steps.push([id, `..${path}${id}/`, title]);
  return steps;
}
