import type * as React from 'react';
import { addressOf, keepAddress, parametersOf } from './address.js';
import { elementId, formOf } from './form.js';
import { type ExecuteProps, LIST, type Plugin, POST, type Received, received } from './system.js';
import { forgetTyped } from './typed.js';

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
export const outcome: Plugin = ({ React }) => {
  function Links({ links, ...list }: { links: readonly Link[] } & React.ComponentProps<'ul'>) {
    if (links.length === 0) return null;
    return (
      <ul {...list}>
        {links.map(([label, href, title]) => (
          <li key={label}>
            <a href={href}>{label}</a> <bdi>{title}</bdi>
          </li>
        ))}
      </ul>
    );
  }

  return {
    wrapComponents: {
      execute: (Execute: React.ComponentType<ExecuteProps>) =>
        function ExecuteWithOutcome(props: ExecuteProps): React.ReactNode {
          const { operation, specSelectors, path, method } = props;
          const latest = specSelectors.responseFor(path, method);
          const response = received(specSelectors, path, method);
          const sentUrl = String(specSelectors.mutatedRequestFor(path, method)?.get('url'));
          const element = React.useRef<HTMLOutputElement>(null);
          /** A form that is opened again shows its last response, but does not scroll to it. */
          const seen = React.useRef(latest);
          React.useEffect(() => {
            if (!latest || seen.current === latest) return;
            seen.current = latest;
            const form = formOf(specSelectors, operation.get('operationId'))!;
            if (isSuccess(response)) forgetTyped(elementId(form));
            keepAddress(form, parametersOf(path, sentUrl).toString());
            element.current!.scrollIntoView({ block: 'nearest' });
          });
          return (
            <>
              <Execute {...props} />
              <output className="outcome" ref={element}>
                {response && sentenceOf(response)}
              </output>
              <Links
                className="next-steps"
                aria-label="Next steps"
                links={nextSteps(response, sentUrl, props)}
              />
              <Links className="posts" aria-label="Posts" links={listed(response, props)} />
            </>
          );
        },
    },
  };
};

function isSuccess(response: Received | undefined): boolean {
  return response?.status !== undefined && response.status < 300;
}

function sentenceOf({ status, statusText, message, statusCode }: Received): string {
  if (status !== undefined) return `${status} ${statusText ?? ''}`.trim();
  // The header section came, the content did not.
  if (statusCode !== undefined) return `The connection broke in the middle of the response (${statusCode}).`;
  return message ?? 'Not sent.';
}

/** The created post (`Location`), other pages (`Link`, RFC 8288), and the forms that change the post. */
function nextSteps(
  response: Received | undefined,
  sentUrl: string,
  { specSelectors, path }: ExecuteProps,
): Link[] {
  const { status, headers: { location: created, link = '' } = {} } = response ?? {};
  const steps: Link[] = [];
  if (created !== undefined)
    steps.push(['Open the post', addressOf(specSelectors, POST, parametersOf(POST[0], created))!]);
  for (const [, href, relation] of link.matchAll(/<([^>]*)>; *rel="(\w+)"/g))
    if (RELATIONS[relation!] && path === LIST[0])
      steps.push([RELATIONS[relation!]!, addressOf(specSelectors, LIST, parametersOf(LIST[0], href!))!]);
  if (status === 200 && path === POST[0])
    for (const [label, method] of [['Edit', 'put'] as const, ['Delete', 'delete'] as const])
      steps.push([label, addressOf(specSelectors, [path, method], postIn(sentUrl))!]);
  return steps;
}

/** The target of a request to one post, without what its query has besides. */
function postIn(sentUrl: string): URLSearchParams {
  return new URLSearchParams({ id: parametersOf(POST[0], sentUrl).get('id')! });
}

/** The posts of a list. */
function listed(response: Received | undefined, { specSelectors, path }: ExecuteProps): Link[] {
  const { json } = response ?? {};
  if (path !== LIST[0] || !Array.isArray(json)) return [];
  return (json as { id?: number; title?: string }[]).flatMap(({ id, title }): Link[] =>
    id === undefined
      ? []
      : [[id, addressOf(specSelectors, POST, new URLSearchParams({ id: String(id) }))!, title]],
  );
}
