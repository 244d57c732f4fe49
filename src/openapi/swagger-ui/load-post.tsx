import type * as React from 'react';
import { type Data, type PathMethod, type Plugin, received, type System } from './system.js';

interface RowProps {
  /** The parameter with the entered value. */
  readonly param: Data;
  readonly pathMethod: PathMethod;
  readonly isExecute: boolean;
  readonly specActions: System['specActions'];
  readonly specSelectors: System['specSelectors'];
  readonly oas3Actions: System['oas3Actions'];
  readonly oas3Selectors: System['oas3Selectors'];
}

interface Loaded {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly etag: string | null;
}

/** The id in the address of the page, when that is the address of a post. */
const OWN_ID = location.hash.endsWith('/getPost') ? new URL(location.href).searchParams.get('id') : null;
/** How long an id stays unchanged before its post is loaded. */
const TYPING_MS = 300;

/**
 * Loads the current post into the form of a PUT when its id is filled in, and its ETag into If-Match, so that no other
 * change is lost. Typed text is replaced only when the button below the id is pressed.
 */
export const loadPost: Plugin = ({ React }) => {
  const { useEffect, useRef, useState } = React;

  function LoadPost(props: RowProps): React.ReactNode {
    const { param, pathMethod, specActions, specSelectors, oas3Selectors } = props;
    const [loaded, setLoaded] = useState<Loaded>();
    const [message, setMessage] = useState('');
    const id = (param.get('value') ?? '') as string;
    const mediaType = oas3Selectors.requestContentType(...pathMethod);

    const filled = useRef<readonly unknown[]>([]);
    const currentId = useRef(id);
    currentId.current = id;
    const isUntouched = (): boolean =>
      Object.entries(fieldsIn(oas3Selectors.requestBodyValue(...pathMethod))).every(
        ([name, text]) => text === '' || text === loaded?.resource[name],
      );

    useEffect(() => {
      if (id !== '' || OWN_ID === null || !pathMethod[0].includes('{id}')) return;
      specActions.changeParamByIdentity(pathMethod, param, OWN_ID);
      // Only once, because the user may clear it.
      // oxlint-disable-next-line react-hooks/exhaustive-deps
    }, []);

    useEffect(() => {
      if (id === '' || id === String(loaded?.resource['id'])) return undefined;
      const timer = setTimeout(() => void load(isUntouched), TYPING_MS);
      return () => clearTimeout(timer);
      // Depends only on the id: otherwise a missing post would be requested again and again.
      // oxlint-disable-next-line react-hooks/exhaustive-deps
    }, [id]);

    // Another media type has other fields, which start empty.
    useEffect(() => {
      if (!loaded || (filled.current[0] === loaded && filled.current[1] === mediaType)) return;
      filled.current = [loaded, mediaType];
      fillBody(loaded.resource, mediaType, props);
    });

    // After a replacement, the form continues from the stored post and its new ETag.
    const response = specSelectors.responseFor(...pathMethod);
    useEffect(() => {
      const { status, headers, json } = received(specSelectors, ...pathMethod) ?? {};
      if (status === 204) setParameter('If-Match', headers?.['etag'], props);
      if (status === 200)
        show({ resource: json as Loaded['resource'], etag: headers?.['etag'] ?? null }, 'Saved.');
      // oxlint-disable-next-line react-hooks/exhaustive-deps
    }, [response]);

    const show = (found: Loaded, text: string): void => {
      setLoaded(found);
      setParameter('If-Match', found.etag, props);
      setMessage(text);
    };

    const load = async (mayReplace = () => true): Promise<void> => {
      if (!mayReplace()) return;
      try {
        const found = await read(pathMethod[0], id);
        if (currentId.current !== id || !mayReplace()) return;
        show(
          found,
          'Loaded. Change it below, then execute. If-Match prevents that another change is overwritten.',
        );
      } catch (error) {
        setLoaded(undefined);
        setMessage((error as Error).message);
      }
    };

    return (
      <tr>
        <td colSpan={2}>
          <button type="button" className="btn" disabled={id === ''} onClick={() => void load()}>
            Load the post
          </button>{' '}
          <span role="status">{message}</span>
        </td>
      </tr>
    );
  }

  return {
    wrapComponents: {
      parameterRow: (ParameterRow: React.ComponentType<RowProps>) =>
        function RowWithLoad(props: RowProps): React.ReactNode {
          const isTarget = props.pathMethod[1] === 'put' && props.param.get('name') === 'id';
          return (
            <>
              <ParameterRow {...props} />
              {isTarget && props.isExecute && <LoadPost {...props} />}
            </>
          );
        },
    },
  };
};

/** @throws Error with the detail of the service's problem */
async function read(path: string, id: string): Promise<Loaded> {
  const ofOne = path.includes('{id}') ? path : `${path}{id}/`;
  // The page is one folder below the API root.
  const url = new URL(`..${ofOne.replace('{id}', encodeURIComponent(id))}`, location.href);
  const response = await fetch(url, { headers: { Accept: 'application/json' } });
  const json = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${response.status}: ${String(json['detail'])}`);
  return { resource: json, etag: response.headers.get('ETag') };
}

/** The fields of a form, or of JSON. Any other text counts as one field. */
function fieldsIn(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body === 'object' && body !== null) {
    const form = (body as Data).toJS() as Record<string, { readonly value: unknown }>;
    return Object.fromEntries(Object.entries(form).map(([name, { value }]) => [name, value]));
  }
  try {
    return { ...(JSON.parse(String(body)) as object | null) };
  } catch {
    return { body };
  }
}

/** Fills in JSON, or each field of a form. The path already contains the id. */
function fillBody(
  { id: _id, ...fields }: Loaded['resource'],
  mediaType: string | null,
  { pathMethod, oas3Actions, oas3Selectors }: RowProps,
): void {
  const current = oas3Selectors.requestBodyValue(...pathMethod);
  const isForm = mediaType !== 'application/json' && typeof current === 'object' && current !== null;
  const value = isForm
    ? Object.entries(fields).reduce((form, [name, text]) => form.set(name, text), current as Data)
    : JSON.stringify(fields, null, 2);
  oas3Actions.setRequestBodyValue({ pathMethod, value });
}

function setParameter(
  name: string,
  value: unknown,
  { pathMethod, specActions, specSelectors }: RowProps,
): void {
  const operation = specSelectors.specResolvedSubtree(['paths', ...pathMethod]);
  for (const parameter of operation.get('parameters') as Iterable<Data>)
    if (parameter.get('name') === name) specActions.changeParamByIdentity(pathMethod, parameter, value);
}
