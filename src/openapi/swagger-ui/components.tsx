import type * as React from 'react';
import type { Data, Plugin } from './system.js';

interface DeepLinkProps {
  readonly text: React.ReactNode;
}

/** Adds accessibility for keyboards and screen readers that Swagger UI lacks (WCAG 2.2 AA). */
export const accessible: Plugin = ({ React }) => ({
  components: {
    // It is inside a button, which must not contain a link.
    DeepLink: ({ text }: DeepLinkProps) => <span className="nostyle">{text}</span>,
  },
  wrapComponents: {
    InfoContainer: (Original: React.ComponentType<object>) =>
      function Info(props: object): React.ReactNode {
        return (
          <section aria-label="About this API">
            <Original {...props} />
          </section>
        );
      },
    ExamplesSelect: (Original: React.ComponentType<object>) =>
      function NamedSelect(props: object): React.ReactNode {
        const element = React.useRef<HTMLDivElement>(null);
        React.useEffect(
          () => element.current?.querySelector('select')?.setAttribute('aria-label', 'Example'),
          [],
        );
        return (
          <div ref={element}>
            <Original {...props} />
          </div>
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
});

interface ResponseProps {
  readonly code: string;
  readonly response: Data;
  readonly className: string;
}

interface ParameterProps {
  readonly param: Data;
}

interface HeadersProps {
  readonly headers: Data | undefined;
}

/**
 * Collapses the dozen errors of each operation, the dozen header fields of each response and the header fields of a
 * request that have no value, to one line each.
 */
export const folded: Plugin = ({ React }) => {
  function useFold(label: string): [isOpen: boolean, button: React.ReactNode] {
    const [isOpen, setOpen] = React.useState(false);
    const button = (
      <button type="button" className="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {label}
      </button>
    );
    return [isOpen, button];
  }

  return {
    wrapComponents: {
      headers: (Headers: React.ComponentType<HeadersProps>) =>
        function FoldedHeaders(props: HeadersProps): React.ReactNode {
          const [isOpen, button] = useFold(`${props.headers?.size} header fields`);
          if (!props.headers?.size) return null;
          return (
            <>
              {button}
              {isOpen && <Headers {...props} />}
            </>
          );
        },
      parameterRow: (ParameterRow: React.ComponentType<ParameterProps>) =>
        function FoldedParameter(props: ParameterProps): React.ReactNode {
          const { param } = props;
          const [isOpen, button] = useFold(String(param.get('name')));
          if (param.get('in') !== 'header' || isOpen || param.get('value'))
            return <ParameterRow {...props} />;
          return (
            <tr>
              <td colSpan={2}>{button}</td>
            </tr>
          );
        },
      response: (Response: React.ComponentType<ResponseProps>) =>
        function FoldedResponse(props: ResponseProps): React.ReactNode {
          const [isOpen, button] = useFold(String(props.response.get('description')).replaceAll('`', ''));
          if (props.code < '300') return <Response {...props} />;
          return (
            <>
              <tr className="response" data-code={props.code}>
                <td className="response-col_status">{props.code}</td>
                <td className="response-col_description">{button}</td>
              </tr>
              {isOpen && <Response {...props} className="unfolded" />}
            </>
          );
        },
    },
  };
};
