import type * as React from 'react';
import {
  type Data,
  type ExecuteProps,
  faultsOf,
  type ParametersProps,
  type Plugin,
  type ResponsesProps,
} from './system.js';

/**
 * The order of a form: the fields, the button, and the response. Header fields and the documentation of the responses
 * are folded, because most requests need neither.
 */
export const fieldsFirst: Plugin = ({ React }) => {
  const { useEffect, useReducer, useState } = React;

  /** Header fields, shown while one of them has a value or a fault. */
  function HeaderFields({ children, ...props }: ParametersProps & { children: React.ReactNode }) {
    const { parameters, pathMethod, specSelectors } = props;
    const [isOpen, setOpen] = useState(false);
    const names = Array.from(parameters, (parameter) => parameter.get('name') as string);
    const isUsed = names.some((name) => {
      const value = specSelectors.parameterWithMeta(pathMethod, name, 'header').get('value');
      return value !== undefined && value !== '';
    });
    const isFaulty = faultsOf(specSelectors, ...pathMethod).some(({ header }) => names.includes(header!));
    useEffect(() => {
      if (isUsed || isFaulty) setOpen(true);
    }, [isUsed, isFaulty]);
    return (
      <details
        className="header-fields"
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>
          Header fields <small>{names.join(', ')}</small>
        </summary>
        {children}
      </details>
    );
  }

  /** The choice of a representation (`Accept`), which is folded in the documentation of the responses, too. */
  function ResponseType(props: ExecuteProps & { onChosen: () => void }): React.ReactNode {
    const { operation, path, method, oas3Actions, oas3Selectors, onChosen } = props;
    const types = responseTypesOf(operation);
    const choose = (value: string): void => {
      oas3Actions.setResponseContentType({ path, method, value });
      onChosen();
    };
    if (types.length < 2) return null;
    return (
      <label className="response-type">
        Media type of the response{' '}
        <select
          className="content-type"
          value={oas3Selectors.responseContentType(path, method) ?? types[0]}
          onChange={({ target }) => choose(target.value)}
        >
          {types.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      </label>
    );
  }

  return {
    wrapComponents: {
      parameters: (Parameters: React.ComponentType<ParametersProps>) =>
        function FieldsFirst(props: ParametersProps): React.ReactNode {
          const { parameters, operation, pathMethod, getComponent } = props;
          const LoadPost = getComponent('LoadPost');
          const withoutBody = operation.delete('requestBody');
          const headers = parameters.filter(isHeader);
          const others = parameters.filter((parameter) => !isHeader(parameter));
          return (
            <>
              {others.size > 0 && <Parameters {...props} parameters={others} operation={withoutBody} />}
              {pathMethod[1] === 'put' && <LoadPost {...props} />}
              {operation.has('requestBody') && (
                <div className="body-fields">
                  <Parameters {...props} parameters={parameters.clear()} />
                </div>
              )}
              {headers.size > 0 && (
                <HeaderFields {...props} parameters={headers}>
                  <Parameters {...props} parameters={headers} operation={withoutBody} />
                </HeaderFields>
              )}
            </>
          );
        },

      // Between the title of the page and the headings of the tags.
      operations: (Operations: React.ComponentType) => (props: object) => (
        <>
          <h2 className="visually-hidden">Operations</h2>
          <Operations {...props} />
        </>
      ),

      InfoContainer: (Info: React.ComponentType) => (props: object) => (
        <section aria-label="About the API">
          <Info {...props} />
        </section>
      ),

      execute: (Execute: React.ComponentType<ExecuteProps>) =>
        function ExecuteByType(props: ExecuteProps): React.ReactNode {
          // Swagger UI renders an operation again only when a request is sent.
          const [, renderAgain] = useReducer((count: number) => count + 1, 0);
          return (
            <>
              <ResponseType {...props} onChosen={renderAgain} />
              <Execute {...props} />
            </>
          );
        },

      responses: (Responses: React.ComponentType<ResponsesProps>) =>
        function ResponseFirst(props: ResponsesProps): React.ReactNode {
          const { tryItOutResponse, responses, getComponent } = props;
          const LiveResponse = getComponent('liveResponse');
          return (
            <>
              {tryItOutResponse && (
                <div className="responses-wrapper">
                  <div className="responses-inner">
                    <LiveResponse {...props} response={withoutRemark(tryItOutResponse)} />
                  </div>
                </div>
              )}
              <details className="documented-responses">
                <summary>
                  Possible responses <small>{[...responses.keySeq()].join(', ')}</small>
                </summary>
                <Responses {...props} tryItOutResponse={null} />
              </details>
            </>
          );
        },
    },
  };
};

function isHeader(parameter: Data): boolean {
  return parameter.get('in') === 'header';
}

/** The media types of a successful response. */
function responseTypesOf(operation: Data): string[] {
  // Swagger UI resolves the references of an operation after it was opened.
  const responses = operation.get('responses') as Data | undefined;
  const success = [...(responses?.keySeq() ?? [])].find((status) => status.startsWith('2'));
  const content = responses?.getIn([success ?? '', 'content']) as Data | undefined;
  return [...(content?.keySeq() ?? [])];
}

/** Swagger UI remarks of a response that did not come that it is undocumented. */
function withoutRemark(response: Data): Data {
  return response.has('status') ? response : response.delete('notDocumented');
}
