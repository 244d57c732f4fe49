import type * as React from 'react';
import { type Form, elementId, formOf } from './form.js';
import type { Data, ExecuteProps, OutgoingRequest, PathMethod, Plugin, System } from './system.js';
import { isTyped } from './typed.js';

type Parameter = Record<'name' | 'in', string> & {
  required?: boolean;
  schema: { type?: string; default?: unknown };
};

const PAGE_TITLE = document.title;

/** The query that each form was filled in from, or has sent last, by its operation id. */
const shownQueries = new Map<string, string>();
/** The form that is to be shown, and filled in if there is a query, as soon as Swagger UI has rendered it. */
let awaited: { form: Form; query: string | undefined; movesFocus: boolean } | undefined;
/** The query of the request that the page's address describes, until it is sent. */
let ownQuery: URLSearchParams | undefined;

/** An event with the id of an operation, after its form was filled in from the address. */
export const filledIn = new EventTarget();
/** An event `change`, after a form of the page was named by the address. */
const addressed = new EventTarget();

/**
 * The address of the page names the open form and its parameters: `?id=7#/posts/getPost`, to which a browser is
 * redirected from `/posts/7/`. The form is opened and filled in. Only a GET is sent automatically, so that no link can
 * change data. Back, Forward and the links of the page open forms without a reload, which keeps what was typed.
 * (Swagger UI's own `deepLinking` reads the address only once.)
 */
export const addresses: Plugin = ({ React }) => ({
  wrapComponents: {
    execute: (Execute: React.ComponentType<ExecuteProps>) =>
      function ExecuteAddress(props: ExecuteProps): React.ReactNode {
        const { operation, path, method, specActions, onExecute } = props;
        const [, renderAgain] = React.useReducer((count: number) => count + 1, 0);
        React.useEffect(() => {
          addressed.addEventListener('change', renderAgain);
          return () => addressed.removeEventListener('change', renderAgain);
        }, []);
        React.useEffect(() => {
          const operationId = operation.get('operationId') as string;
          if (!awaited || awaited.form.operationId !== operationId) return;
          const { form, query, movesFocus } = awaited;
          awaited = undefined;
          reveal(form, movesFocus);
          if (query === undefined) return;
          shownQueries.set(operationId, query);
          const isComplete = fillIn(query, props);
          filledIn.dispatchEvent(new Event(operationId));
          if (method !== 'get' || !isComplete) return;
          ownQuery = withoutPathParameters(query, operation);
          onExecute();
          specActions.execute({ operation, path, method });
        });
        return React.createElement(Execute, props);
      },
  },
  statePlugins: {
    spec: {
      wrapActions: {
        // A list that nothing is chosen for is not sent: Swagger UI would refuse the request because of `minItems`.
        changeParamByIdentity:
          (original: System['specActions']['changeParamByIdentity']) =>
          (operation: PathMethod, parameter: Data, value: unknown) =>
            original(operation, parameter, isEmptyList(value) ? undefined : value),
      },
    },
    layout: {
      wrapActions: {
        show:
          (original: System['layoutActions']['show'], { specSelectors }: System) =>
          (key: readonly string[], isShown: boolean) => {
            original(key, isShown);
            const form = formOf(specSelectors, key[2]);
            if (key[0] !== 'operations' || !form) return;
            if (isShown && !isAddressed(form)) keepAddress(form, shownQueries.get(form.operationId) ?? '');
            if (!isShown && isAddressed(form)) show(location.pathname, undefined, 'replaceState');
          },
      },
    },
  },
});

/** Opens the form in the address now, and whenever the address changes. */
export function followAddress(system: System): void {
  openForm(system, 'load');
  addEventListener('popstate', () => openForm(system, 'history'));
  document.addEventListener('click', (event) => {
    const link = linkToForm(event, system);
    if (!link) return;
    event.preventDefault();
    history.pushState(null, '', link.href);
    openForm(system, 'link');
  });
}

/**
 * Opens the form in the address, and has it filled in. Back and Forward leave a form as it is if it shows the address, or
 * has text that nobody has stored.
 */
function openForm({ specSelectors, layoutActions }: System, cause: 'load' | 'history' | 'link'): void {
  const query = new URLSearchParams(location.search).toString();
  const form = formOf(specSelectors, operationIdIn(location.hash));
  document.title = titleOf(form, query);
  if (!form) return;
  const { operationId, tag } = form;
  const isShown = (shownQueries.get(operationId) ?? '') === query;
  const isKept = cause === 'history' && (isShown || isTyped(elementId(form)));
  awaited = { form, query: isKept ? undefined : query, movesFocus: cause !== 'load' };
  layoutActions.show(['operations-tag', tag], true);
  layoutActions.show(['operations', tag, operationId], true);
  addressed.dispatchEvent(new Event('change'));
}

/**
 * The link to a form of this page that a click follows. Where the form has text that nobody has stored, the browser
 * follows the link, and asks before it leaves the page.
 */
function linkToForm(event: MouseEvent, { specSelectors }: System): HTMLAnchorElement | undefined {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!link || event.defaultPrevented || event.button !== 0 || opensElsewhere) return undefined;
  const { origin, pathname, hash } = new URL(link.href);
  const form = formOf(specSelectors, operationIdIn(hash));
  const isOnPage = origin === location.origin && pathname === location.pathname;
  return form && isOnPage && !isTyped(elementId(form)) ? link : undefined;
}

function operationIdIn(fragment: string): string | undefined {
  return decodeURIComponent(fragment).split('/')[2];
}

/** The address of the page follows the form: its opening, and each request, so that the address can be kept. */
export function keepAddress(form: Form, query: string): void {
  shownQueries.set(form.operationId, query);
  const address = addressOfForm(form, query);
  if (address !== location.pathname + location.search + location.hash)
    show(address, form, isAddressed(form) ? 'replaceState' : 'pushState');
}

function show(address: string, form: Form | undefined, change: 'pushState' | 'replaceState'): void {
  history[change](null, '', address);
  document.title = titleOf(form, new URLSearchParams(location.search).toString());
}

function isAddressed({ tag, operationId }: Form): boolean {
  return decodeURIComponent(location.hash) === `#/${tag}/${operationId}`;
}

/** Each form has a title of its own, so that tabs, bookmarks and the history of the browser tell them apart. */
function titleOf(form: Form | undefined, query: string): string {
  if (!form) return PAGE_TITLE;
  const id = form.pathMethod[0].includes('{id}') ? new URLSearchParams(query).get('id') : null;
  return `${form.summary}${id === null ? '' : ` ${id}`} · Posts Service`;
}

function reveal(form: Form, movesFocus: boolean): void {
  const element = document.getElementById(elementId(form));
  element?.scrollIntoView();
  if (movesFocus)
    element?.querySelector<HTMLElement>('.opblock-summary-control')?.focus({ preventScroll: true });
}

/** Fills in the parameters from a query; the others get their defaults. @returns whether all required ones are there */
function fillIn(query: string, { operation, path, method, specActions }: ExecuteProps): boolean {
  const values = new URLSearchParams(query);
  let isComplete = true;
  for (const data of (operation.get('parameters') ?? []) as Iterable<Data>) {
    const { name, in: place, required, schema } = data.toJS() as Parameter;
    if (place === 'header') continue;
    const given = values.getAll(name);
    if (given.length === 0) isComplete &&= required !== true;
    const value = schema.type === 'array' ? given.join(',').split(',').filter(Boolean) : given[0];
    specActions.changeParamByIdentity([path, method], data, value ?? schema.default);
  }
  return isComplete;
}

/** @param value of a parameter: an array, a list of Immutable.js, or a text */
function isEmptyList(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && value !== null && (value as Data).size === 0;
}

function withoutPathParameters(query: string, operation: Data): URLSearchParams {
  const own = new URLSearchParams(query);
  for (const data of (operation.get('parameters') ?? []) as Iterable<Data>)
    if (data.get('in') === 'path') own.delete(data.get('name') as string);
  return own;
}

/** Sends exactly the query of the address, unknown and repeated parameters included: the service reports the faults. */
export function withOwnQuery(request: OutgoingRequest): OutgoingRequest {
  const url = new URL(request.url, location.href);
  if (ownQuery) url.search = ownQuery.toString();
  ownQuery = undefined;
  return Object.assign(request, { url: url.href });
}

function addressOfForm({ tag, operationId }: Form, query: string): string {
  return `${location.pathname}${query === '' ? '' : `?${query}`}#/${tag}/${operationId}`;
}

/** The address that opens an operation in the form. @param query as in the address of a request */
export function addressOf(
  specSelectors: System['specSelectors'],
  [path, method]: PathMethod,
  query: URLSearchParams,
): string | undefined {
  const operationId = specSelectors.specJson().getIn(['paths', path, method, 'operationId']);
  const form = formOf(specSelectors, operationId);
  return form && addressOfForm(form, query.toString());
}

/** The parameters of a sent request, those of its path included, as a query. */
export function parametersOf(path: string, requestUrl: string): URLSearchParams {
  const url = new URL(requestUrl, location.href);
  const pattern = new RegExp(`${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  const { groups = {} } = pattern.exec(decodeURIComponent(url.pathname)) ?? {};
  return new URLSearchParams([...Object.entries(groups), ...url.searchParams]);
}
