import type * as React from 'react';
import type { Plugin } from './system.js';

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
