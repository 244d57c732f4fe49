import type * as React from 'react';
import { afterEdit, inTextArea } from '../../admin/ui/posts/form/line-ends.js';
import { PLACEHOLDER } from './document.js';
import { type Data, type PathMethod, type Plugin, received, type System } from './system.js';

interface FieldProps {
  readonly schema: Data;
  /** The name of the field or parameter. */
  readonly description: string;
  readonly value: unknown;
  /** Form fields have an initial value; parameters do not have this property. */
  readonly dispatchInitialValue?: boolean;
  readonly onChange: (value: string) => void;
}

interface OperationProps {
  /** With the path and the method. */
  readonly operation: Data;
  readonly specSelectors: System['specSelectors'];
}

/** A part of `errors` in a problem (docs/api/errors.md). */
interface Fault {
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

/** Inputs with names for screen readers and the service's faults below them, and text areas in forms. */
export const fields: Plugin = ({ React }) => {
  /** The faults of the last response of an operation. */
  const Faults = React.createContext<readonly Fault[]>([]);

  function FaultList(props: { id?: string; concerns: (fault: Fault) => boolean }): React.ReactNode {
    const faults = React.useContext(Faults).filter(props.concerns);
    return (
      <small id={props.id} role="alert" className="faults">
        {faults.map(({ detail }) => detail).join(' ')}
      </small>
    );
  }

  function NamedField({ Original, ...props }: FieldProps & { Original: React.ComponentType<FieldProps> }) {
    const { description: name } = props;
    const element = React.useRef<HTMLDivElement>(null);
    const concerns = ({ parameter, header, pointer }: Fault) =>
      [parameter, header, pointer?.slice(1)].includes(name);
    const isFaulty = React.useContext(Faults).some(concerns);
    const id = React.useId();
    React.useEffect(() => {
      for (const input of element.current!.querySelectorAll('input, select, textarea')) {
        input.setAttribute('aria-label', name);
        input.setAttribute('aria-invalid', String(isFaulty));
        input.setAttribute('aria-describedby', id);
      }
    });
    return (
      <div ref={element} className="field">
        <Original {...props} />
        <FaultList id={id} concerns={concerns} />
      </div>
    );
  }

  /** An input would drop line breaks. */
  function TextField({ schema, description, value, onChange }: FieldProps): React.ReactNode {
    const text = typeof value === 'string' ? value : '';
    return (
      <textarea
        rows={description === 'body' ? 10 : 1}
        placeholder={schema.get(PLACEHOLDER) as string | undefined}
        value={inTextArea(text)}
        onChange={({ target }) => onChange(afterEdit(text, target.value))}
      />
    );
  }

  return {
    wrapComponents: {
      operation: (Operation: React.ComponentType<OperationProps>) => (props: OperationProps) => {
        const { operation, specSelectors } = props;
        const [path, method] = [operation.get('path') as string, operation.get('method') as string];
        const { json } = received(specSelectors, path, method) ?? {};
        return (
          <Faults.Provider value={(json as { errors?: readonly Fault[] } | undefined)?.errors ?? []}>
            <Operation {...props} />
          </Faults.Provider>
        );
      },
      JsonSchemaForm: (Original: React.ComponentType<FieldProps>) => (props: FieldProps) => (
        <NamedField Original={Original} {...props} />
      ),
      JsonSchema_string: (Original: React.ComponentType<FieldProps>) => (props: FieldProps) =>
        props.dispatchInitialValue === undefined ? <Original {...props} /> : <TextField {...props} />,
      // Fields report their values when they are mounted, so another form needs new fields.
      RequestBody: (Original: React.ComponentType) => (props: { contentType: string }) => (
        <Original key={props.contentType} {...props} />
      ),
      RequestBodyEditor: (Editor: React.ComponentType) => (props: object) => (
        <>
          <Editor {...props} />
          <FaultList concerns={({ pointer }) => pointer !== undefined} />
        </>
      ),
      TextArea: (Original: React.ComponentType<object>) => (props: object) => (
        <Original {...props} {...{ 'aria-label': 'Request body' }} />
      ),
      SyntaxHighlighter: (Original: React.ComponentType) => (props: object) => (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll what has the focus
        <div className="code" role="group" aria-label="Code" tabIndex={0}>
          <Original {...props} />
        </div>
      ),
    },
    statePlugins: {
      // A form is sent whole, empty fields included: the service reports all faults at once.
      oas3: {
        wrapActions: {
          // Another media type starts empty, too; Swagger UI would show the state of the form as JSON.
          setRequestContentType:
            (original: (chosen: { pathMethod: PathMethod }) => void, { oas3Actions }: System) =>
            (chosen: { pathMethod: PathMethod }) => {
              original(chosen);
              oas3Actions.setRequestBodyValue({ ...chosen, value: undefined });
            },
        },
        wrapSelectors: {
          requestBodyInclusionSetting: () => () => ({ get: () => true }),
          validateShallowRequired: () => () => [],
        },
      },
    },
  };
};
