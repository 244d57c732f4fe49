import type * as React from 'react';
import type { Data, Plugin } from './system.js';

interface DeepLinkProps {
  readonly text: React.ReactNode;
}

interface ParameterProps {
  readonly param: Data;
}

interface ResponseProps {
  readonly code: string;
  readonly response: Data;
}

/**
 * Collapses the header fields of a request that have no value, and the documented errors of an operation, to one line
 * each. Also adds what keyboards and screen readers need and Swagger UI lacks (WCAG 2.2 AA).
 */
export const collapsed: Plugin = ({ React }) => {
  function useOpener(label: string): [isOpen: boolean, button: React.ReactNode] {
    const [isOpen, setOpen] = React.useState(false);
    const button = (
      <button type="button" className="opener" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {label}
      </button>
    );
    return [isOpen, button];
  }

  return {
    components: {
      // It is inside a button, which must not contain a link.
      DeepLink: ({ text }: DeepLinkProps) => <span className="nostyle">{text}</span>,
    },
    wrapComponents: {
      parameterRow: (ParameterRow: React.ComponentType<ParameterProps>) =>
        function CollapsedParameter(props: ParameterProps): React.ReactNode {
          const { param } = props;
          const [isOpen, button] = useOpener(String(param.get('name')));
          if (param.get('in') !== 'header' || isOpen || param.get('value'))
            return <ParameterRow {...props} />;
          return (
            <tr>
              <td colSpan={2}>{button}</td>
            </tr>
          );
        },
      response: (Response: React.ComponentType<ResponseProps>) =>
        function CollapsedResponse(props: ResponseProps): React.ReactNode {
          const { code, response } = props;
          const [isOpen, button] = useOpener(String(response.get('description')).replaceAll('`', ''));
          if (code < '300' || isOpen) return <Response {...props} />;
          return (
            <tr className="response" data-code={code}>
              <td className="response-col_status">{code}</td>
              <td className="response-col_description">{button}</td>
            </tr>
          );
        },
      SyntaxHighlighter: (Original: React.ComponentType<object>) =>
        function ScrollableCode(props: object): React.ReactNode {
          return (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll what has the focus
            <div className="code" role="group" aria-label="Code" tabIndex={0}>
              <Original {...props} />
            </div>
          );
        },
    },
  };
};
