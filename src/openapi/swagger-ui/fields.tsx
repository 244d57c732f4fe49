import type * as React from 'react';
import { afterEdit, inTextArea } from '../../admin/ui/posts/form/line-ends.js';
import { PLACEHOLDER } from './form-document.js';
import { type Data, type Fault, type PathMethod, type Plugin, received, type System } from './system.js';

interface FieldProps {
  readonly schema: Data;
  /** The name of the field or parameter. */
  readonly description: string;
  readonly value: unknown;
  /** Form fields have an initial value; parameters do not have this property. */
  readonly dispatchInitialValue?: boolean;
  readonly onChange: (value: string) => void;
}

interface RowProps {
  readonly param: Data;
  readonly pathMethod: PathMethod;
  readonly specSelectors: System['specSelectors'];
}

interface BodyProps {
  /** `paths`, the path, the method, `requestBody` */
  readonly specPath: { toJS(): readonly [string, string, string, string] };
  readonly contentType: string | null;
  readonly specSelectors: System['specSelectors'];
}

/** The faults of the last response that concern the field with this name. */
type FaultsOf = (name: string) => readonly Fault[];

/** Inputs with names for screen readers and the service's faults below them, and inputs for the fields of forms. */
export const fields: Plugin = ({ React }) => {
  const Faults = React.createContext<FaultsOf>(() => []);

  function NamedField({ Original, ...props }: FieldProps & { Original: React.ComponentType<FieldProps> }) {
    const { description: name } = props;
    const element = React.useRef<HTMLDivElement>(null);
    const faults = React.useContext(Faults)(name);
    const id = React.useId();
    React.useEffect(() => {
      for (const input of element.current!.querySelectorAll('input, select, textarea')) {
        input.setAttribute('aria-label', name);
        input.setAttribute('aria-invalid', String(faults.length > 0));
        input.setAttribute('aria-describedby', id);
      }
    });
    return (
      <div ref={element} className="field">
        <Original {...props} />
        <FaultList id={id} faults={faults} />
      </div>
    );
  }

  function FaultList({ id, faults }: { id?: string; faults: readonly Fault[] }): React.ReactNode {
    return (
      <small id={id} role="alert" className="faults">
        {faults.map(({ detail }) => detail).join(' ')}
      </small>
    );
  }

  function TextField(props: FieldProps): React.ReactNode {
    const { schema, value, onChange } = props;
    const text = typeof value === 'string' ? value : '';
    const placeholder = schema.get(PLACEHOLDER) as string | undefined;
    // An input of one line drops line breaks.
    const isLong =
      schema.get('maxLength') === undefined && new RegExp(schema.get('pattern') as string).test('\n');
    if (!isLong && !/[\r\n]/.test(text))
      return (
        <input
          type="text"
          placeholder={placeholder}
          value={text}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    return (
      <textarea
        rows={isLong ? 10 : 2}
        placeholder={placeholder}
        value={inTextArea(text)}
        onChange={({ target }) => onChange(afterEdit(text, target.value))}
      />
    );
  }

  return {
    wrapComponents: {
      JsonSchemaForm: (Original: React.ComponentType<FieldProps>) => (props: FieldProps) => (
        <NamedField Original={Original} {...props} />
      ),
      JsonSchema_string: (Original: React.ComponentType<FieldProps>) =>
        function FormOrParameter(props: FieldProps) {
          return props.dispatchInitialValue === undefined ? (
            <Original {...props} />
          ) : (
            <TextField {...props} />
          );
        },
      parameterRow: (ParameterRow: React.ComponentType<RowProps>) =>
        function RowWithFaults(props: RowProps): React.ReactNode {
          const { param, pathMethod, specSelectors } = props;
          const place = param.get('in') === 'header' ? 'header' : 'parameter';
          const faults = faultsIn(specSelectors, pathMethod);
          return (
            <Faults.Provider value={(name) => faults.filter((fault) => fault[place] === name)}>
              <ParameterRow {...props} />
            </Faults.Provider>
          );
        },
      RequestBody: (RequestBody: React.ComponentType<BodyProps>) =>
        function BodyWithFaults(props: BodyProps): React.ReactNode {
          const { specPath, contentType, specSelectors } = props;
          const [, path, method] = specPath.toJS();
          const faults = faultsIn(specSelectors, [path, method]);
          const isForm = contentType?.includes('form') === true;
          const element = React.useRef<HTMLDivElement>(null);
          React.useEffect(() => {
            element.current?.querySelector('.examples-select-element')?.setAttribute('aria-label', 'Example');
          });
          return (
            <Faults.Provider value={(name) => faults.filter(({ pointer }) => pointer === `/${name}`)}>
              <div ref={element}>
                {/* Fields report their values when they are mounted, so another form needs new fields. */}
                <RequestBody key={contentType} {...props} />
                {!isForm && <FaultList faults={faults.filter(({ pointer }) => pointer !== undefined)} />}
              </div>
            </Faults.Provider>
          );
        },
    },
    statePlugins: {
      // A form is sent whole, empty fields included: the service reports all faults at once.
      oas3: {
        wrapSelectors: {
          requestBodyInclusionSetting: () => () => ({ get: () => true }),
          validateShallowRequired: () => () => [],
        },
      },
    },
  };
};

function faultsIn(specSelectors: System['specSelectors'], operation: PathMethod): readonly Fault[] {
  const { json } = received(specSelectors, ...operation) ?? {};
  return (json as { readonly errors?: readonly Fault[] } | undefined)?.errors ?? [];
}
