import type * as React from 'react';
import { addressOf } from './address.js';
import { NO_ANSWER, refusalOf } from './sending.js';
import { LIST, POST, type ExecuteProps, type Plugin } from './system.js';

const EVENT_STREAM = 'text/event-stream';
/** The parameters of a stream. */
const PARAMETERS = ['modified_after', 'fields'] as const;
/** The events of a stream (docs/api/README.md, "Live changes"). */
const EVENTS = ['post', 'deleted'] as const;
/** Older events are removed, because a stream can stay open for hours. */
const MAX_SHOWN = 100;
/** An event can have a body of megabytes. */
const MAX_DATA_LENGTH = 400;

interface ShownEvent {
  readonly key: number;
  readonly name: (typeof EVENTS)[number];
  readonly at: Date;
  readonly data: string;
  readonly id: number | undefined;
}

let lastKey = 0;

/**
 * Listens to changes of posts, and shows each as it happens. Swagger UI shows a response when it has ended, which a stream
 * does after an hour; so where a stream is asked for, this button replaces that of the request.
 */
export const liveChanges: Plugin = ({ React }) => {
  const { useEffect, useState } = React;

  function LiveChanges(props: ExecuteProps & { isOnly: boolean }): React.ReactNode {
    const { specSelectors, isOnly } = props;
    const [source, setSource] = useState<EventSource>();
    const [state, setState] = useState('');
    const [events, setEvents] = useState<readonly ShownEvent[]>([]);
    useEffect(() => () => source?.close(), [source]);

    const listen = (): void => {
      const url = streamUrl(props);
      const opened = new EventSource(url);
      opened.addEventListener('open', () => setState('Listening to all posts.'));
      opened.addEventListener('error', () => {
        if (opened.readyState === EventSource.CONNECTING) {
          setState('The connection broke. The browser tries again, and continues after the last event.');
        } else {
          setSource(undefined);
          void reasonOfRefusal(url).then(setState);
        }
      });
      for (const name of EVENTS)
        opened.addEventListener(name, ({ data }: MessageEvent<string>) => {
          const event = shownEvent(name, data);
          setEvents((earlier) => [event, ...earlier].slice(0, MAX_SHOWN));
        });
      setSource(opened);
      setState('Connecting…');
    };
    const stop = (): void => {
      setSource(undefined);
      setState('Stopped.');
    };

    return (
      <div className="live-changes">
        <button
          type="button"
          className={isOnly ? 'btn execute' : 'btn'}
          onClick={source === undefined ? listen : stop}
        >
          {source === undefined ? 'Listen to changes' : 'Stop listening'}
        </button>
        <small>
          <code>{EVENT_STREAM}</code>, with the parameters {PARAMETERS.join(' and ')}
        </small>
        <span role="status">{state}</span>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll what has the focus */}
        <div role="log" aria-label="Changes" tabIndex={events.length > 0 ? 0 : undefined}>
          {events.map(({ key, name, at, data, id }) => (
            <p key={key}>
              <time dateTime={at.toISOString()}>{at.toLocaleTimeString()}</time> <strong>{name}</strong>{' '}
              {name === 'post' && id !== undefined && (
                <a href={addressOf(specSelectors, POST, new URLSearchParams({ id: String(id) }))}>{id}</a>
              )}{' '}
              <code dir="auto">{data}</code>
            </p>
          ))}
        </div>
      </div>
    );
  }

  return {
    wrapComponents: {
      execute: (Execute: React.ComponentType<ExecuteProps>) =>
        function ExecuteOrListen(props: ExecuteProps): React.ReactNode {
          const { path, method, oas3Selectors } = props;
          if (path !== LIST[0] || method !== LIST[1]) return <Execute {...props} />;
          const isStream = oas3Selectors.responseContentType(path, method) === EVENT_STREAM;
          return (
            <>
              {!isStream && <Execute {...props} />}
              <LiveChanges {...props} isOnly={isStream} />
            </>
          );
        },
    },
  };
};

/** The address of the stream, with those parameters of the form that a stream has. */
function streamUrl({ path, method, specSelectors }: ExecuteProps): string {
  const query = new URLSearchParams();
  for (const name of PARAMETERS) {
    const text = textOf(specSelectors.parameterWithMeta([path, method], name, 'query').get('value'));
    if (text !== '') query.set(name, text);
  }
  // The page is one folder below the API root.
  return query.size === 0 ? `..${path}` : `..${path}?${query.toString()}`;
}

/** @param value of a parameter: a text, or a list of texts */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? [...(value as Iterable<string>)].join(',') : '';
}

function shownEvent(name: ShownEvent['name'], data: string): ShownEvent {
  const { id } = JSON.parse(data) as { id?: number };
  const isLong = data.length > MAX_DATA_LENGTH;
  lastKey += 1;
  return {
    key: lastKey,
    name,
    at: new Date(),
    data: isLong ? `${data.slice(0, MAX_DATA_LENGTH)}…` : data,
    id,
  };
}

/** Asks once more, because an `EventSource` does not say why it was refused. */
async function reasonOfRefusal(url: string): Promise<string> {
  const reading = new AbortController();
  try {
    const response = await fetch(url, { headers: { Accept: EVENT_STREAM }, signal: reading.signal });
    return response.ok ? 'The stream has ended. Listen again to continue.' : await refusalOf(response);
  } catch {
    return NO_ANSWER;
  } finally {
    reading.abort();
  }
}
