// oxlint-disable react-hooks/exhaustive-deps -- an effect runs when what it names changes, not for each new function
import type * as React from 'react';
import { type Data, type ExecuteProps, type PathMethod, type Plugin, received } from './system.js';

type Resource = Readonly<Record<string, unknown>>;

/** The id in the address of the page, as in the link `Edit` of a post. */
const OWN_ID = new URL(location.href).searchParams.get('id');

/**
 * Loads the current post into the form of a PUT, and its ETag into If-Match, so that no other change is lost. After a
 * replacement, the form continues from the stored post and its new ETag.
 */
export const loadedPost: Plugin = ({ React }) => {
  const { useEffect, useState } = React;

  function LoadPost(props: ExecuteProps): React.ReactNode {
    const { path, method, specSelectors } = props;
    const [loaded, setLoaded] = useState<Resource>();
    const [message, setMessage] = useState('');
    const place = path.includes('{id}') ? 'path' : 'query';
    const value = specSelectors.parameterWithMeta([path, method], 'id', place).get('value');
    const id = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
    const response = specSelectors.responseFor(path, method);

    const load = async (): Promise<void> => {
      // The page is one folder below the API root.
      const url = `..${path.replace('{id}/', '')}${encodeURIComponent(id)}/`;
      const found = await fetch(url, { headers: { Accept: 'application/json' } });
      const json = (await found.json()) as Resource;
      if (!found.ok) return setMessage(`${found.status}: ${String(json['detail'])}`);
      setLoaded(json);
      setIfMatch(found.headers.get('ETag'), props);
      return setMessage('Loaded. If-Match prevents that the change of another client is overwritten.');
    };

    // Only from a link: what was typed is replaced only by the button.
    useEffect(() => {
      if (id !== '' && id === OWN_ID) void load();
    }, [id]);

    // Another media type starts empty, until the button is pressed.
    useEffect(() => {
      if (loaded) fillBody(loaded, props);
    }, [loaded]);

    useEffect(() => {
      const { status = 0, headers, json } = received(specSelectors, path, method) ?? {};
      if (status === 200) setLoaded(json as Resource);
      if (status === 200 || status === 204) setIfMatch(headers?.['etag'], props);
    }, [response]);

    return (
      <>
        <button type="button" className="btn" disabled={id === ''} onClick={() => void load()}>
          Load the post
        </button>
        <span role="status">{message}</span>
      </>
    );
  }

  return {
    wrapComponents: {
      execute: (Execute: React.ComponentType<ExecuteProps>) => (props: ExecuteProps) => (
        <>
          {props.method === 'put' && <LoadPost {...props} />}
          <Execute {...props} />
        </>
      ),
    },
  };
};

/** Fills in JSON, or each field of a form, in which null is empty. The path or the query already contains the id. */
function fillBody({ id: _id, ...fields }: Resource, props: ExecuteProps): void {
  const { path, method, oas3Actions, oas3Selectors } = props;
  const pathMethod: PathMethod = [path, method];
  const form = oas3Selectors.requestBodyValue(...pathMethod) as Data;
  const value = oas3Selectors.requestContentType(...pathMethod)?.includes('form')
    ? Object.entries(fields).reduce((filled, [name, text]) => filled.set(name, text ?? ''), form)
    : JSON.stringify(fields, null, 2);
  oas3Actions.setRequestBodyValue({ pathMethod, value });
}

function setIfMatch(etag: unknown, { operation, path, method, specActions }: ExecuteProps): void {
  for (const parameter of operation.get('parameters') as Data)
    if (parameter.get('name') === 'If-Match')
      specActions.changeParamByIdentity([path, method], parameter, etag);
}
