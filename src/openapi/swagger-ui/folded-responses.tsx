import type * as React from 'react';
import type { Data, Plugin } from './system.js';

interface ResponseProps {
  readonly code: string;
  readonly response: Data;
  readonly className: string;
}

interface HeadersProps {
  readonly headers: Data | undefined;
}

/** Collapses the dozen errors of each operation, and the dozen header fields of each response, to one line each. */
export const foldedResponses: Plugin = ({ React }) => ({
  wrapComponents: {
    headers: (Headers: React.ComponentType<HeadersProps>) =>
      function FoldedHeaders(props: HeadersProps): React.ReactNode {
        const [isOpen, setOpen] = React.useState(false);
        if (!props.headers?.size) return null;
        return (
          <>
            <button type="button" className="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {props.headers.size} header fields
            </button>
            {isOpen && <Headers {...props} />}
          </>
        );
      },
    response: (Response: React.ComponentType<ResponseProps>) =>
      function FoldedResponse(props: ResponseProps): React.ReactNode {
        const [isOpen, setOpen] = React.useState(false);
        if (props.code < '300') return <Response {...props} />;
        return (
          <>
            <tr className="response" data-code={props.code}>
              <td className="response-col_status">{props.code}</td>
              <td className="response-col_description">
                <button
                  type="button"
                  className="fold"
                  aria-expanded={isOpen}
                  onClick={() => setOpen(!isOpen)}
                >
                  {String(props.response.get('description')).replaceAll('`', '')}
                </button>
              </td>
            </tr>
            {isOpen && <Response {...props} className="unfolded" />}
          </>
        );
      },
  },
});
