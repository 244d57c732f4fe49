// oxlint-disable react-hooks/exhaustive-deps -- an effect runs when what it names changes, not for each new function
import type * as React from 'react';
import { filledIn } from './address.js';
import { elementId } from './form.js';
import { type Data, type ParametersProps, type Plugin, received } from './system.js';
import { NO_ANSWER, refusalOf } from './sending.js';
import { forgetTyped } from './typed.js';

type Resource = Readonly<Record<string, unknown>>;

/**
 * Loads the current post into the form of a PUT, and its ETag into If-Match, so that no other change is lost. After a
 * replacement, the form continues from the stored post and its new ETag.
 */
export const loadedPost: Plugin = ({ React }) => {
  const { useEffect, useState } = React;

  function LoadPost(props: ParametersProps): React.ReactNode {
    const { pathMethod, operation, specSelectors } = props;
    const [loaded, setLoaded] = useState<Resource>();
    const [message, setMessage] = useState('');
    const place = pathMethod[0].includes('{id}') ? 'path' : 'query';
    const response = specSelectors.responseFor(...pathMethod);
    const operationId = operation.get('operationId') as string;
    const id = (): string => {
      const value = specSelectors.parameterWithMeta(pathMethod, 'id', place).get('value');
      return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
    };

    const load = async (): Promise<void> => {
      if (id() === '') return;
      // The page is one folder below the API root.
      const url = `..${pathMethod[0].replace('{id}/', '')}${encodeURIComponent(id())}/`;
      const found = await fetch(url, { headers: { Accept: 'application/json' } }).catch(() => undefined);
      if (!found) return setMessage(NO_ANSWER);
      if (!found.ok) return setMessage(await refusalOf(found));
      const post = (await found.json().catch(() => undefined)) as Resource | undefined;
      if (!post) return setMessage(NO_ANSWER);
      setLoaded(post);
      setIfMatch(found.headers.get('ETag'), props);
      return setMessage('Loaded. If-Match prevents that the change of another client is overwritten.');
    };

    // Only from a link: what was typed is replaced only by the button.
    useEffect(() => {
      const loadLinked = (): void => void load();
      filledIn.addEventListener(operationId, loadLinked);
      return () => filledIn.removeEventListener(operationId, loadLinked);
    }, [operationId]);

    // Another media type starts empty, until the button is pressed.
    useEffect(() => {
      if (!loaded) return;
      fillBody(loaded, props);
      forgetTyped(elementId({ tag: operation.getIn(['tags', 0]) as string, operationId }));
    }, [loaded]);

    useEffect(() => {
      const { status = 0, headers, json } = received(specSelectors, ...pathMethod) ?? {};
      if (status === 200) setLoaded(json as Resource);
      if (status === 200 || status === 204) setIfMatch(headers?.['etag'], props);
    }, [response]);

    return (
      <p className="load-post">
        <button type="button" className="btn" disabled={id() === ''} onClick={() => void load()}>
          Load the post
        </button>
        <span role="status">{message}</span>
      </p>
    );
  }

  return { components: { LoadPost } };
};

/** Fills in JSON, or each field of a form, in which null is empty. The path or the query already contains the id. */
function fillBody({ id: _id, ...fields }: Resource, props: ParametersProps): void {
  const { pathMethod, oas3Actions, oas3Selectors } = props;
  const form = oas3Selectors.requestBodyValue(...pathMethod) as Data;
  const value = oas3Selectors.requestContentType(...pathMethod)?.includes('form')
    ? Object.entries(fields).reduce((filled, [name, text]) => filled.set(name, text ?? ''), form)
    : JSON.stringify(fields, null, 2);
  oas3Actions.setRequestBodyValue({ pathMethod, value });
}

function setIfMatch(etag: unknown, { operation, pathMethod, specActions }: ParametersProps): void {
  for (const parameter of operation.get('parameters') as Data)
    if (parameter.get('name') === 'If-Match') specActions.changeParamByIdentity(pathMethod, parameter, etag);
}
