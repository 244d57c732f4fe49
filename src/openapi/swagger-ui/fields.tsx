import type * as React from 'react';
import { DAYS, fromInput, toInput } from '../../admin/ui/time/input.js';
import { afterEdit, inTextArea } from '../../admin/ui/posts/form/line-ends.js';
import { PLACEHOLDER } from './document.js';
import { type Data, type Fault, faultsOf, type PathMethod, type Plugin, type System } from './system.js';

interface FieldProps {
  readonly schema: Data;
  /** The name of the field or parameter. */
  readonly description: string;
  readonly value: unknown;
  /** Form fields have an initial value; parameters do not have this property. */
  readonly dispatchInitialValue?: boolean;
  readonly onChange: (value: string) => void;
}

interface ChosenType {
  readonly pathMethod: PathMethod;
  readonly value: string;
}

interface OperationProps {
  /** With the path and the method. */
  readonly operation: Data;
  readonly specSelectors: System['specSelectors'];
}

const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The bodies of other media types, by operation and media type. */
const bodies = new Map<string, unknown>();

/** How the API calls dates: `pub_date`, `pub_date_after`, `modified_after`. */
const DATE_NAME = /^pub_date$|_(?:after|before)$/;
/** A date and time without an offset, which the service reads as UTC, and browsers as local time. */
const WITHOUT_OFFSET = /^\d{4}-\d\d-\d\d[Tt ][\d:.,]+$/;

/** Inputs with names for screen readers and the service's faults below them, text areas in forms, and calendars. */
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
      const inputs = element.current!.querySelectorAll(':is(input, select, textarea):not(.calendar *)');
      for (const input of inputs) {
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

  /** The text of a date, which can be exact to the microsecond, and a calendar that writes it. */
  function DateField({ Text, ...props }: FieldProps & { Text: React.ComponentType<FieldProps> }) {
    const { description: name, value, onChange } = props;
    const text = typeof value === 'string' ? value : '';
    return (
      <div className="date">
        <Text {...props} />
        <label className="calendar">
          <span>
            Calendar<span className="visually-hidden"> for {name.replaceAll('_', ' ')}</span>, {ZONE}
          </span>
          <input
            type="datetime-local"
            step={1}
            min={`${DAYS.min}T00:00:00`}
            max={`${DAYS.max}T23:59:59`}
            value={toInput(WITHOUT_OFFSET.test(text) ? `${text}Z` : text, ZONE).replace(/:00$/, '')}
            onChange={({ target }) => onChange(fromInput(target.value, ZONE, text))}
          />
        </label>
      </div>
    );
  }

  /**
   * A text area also for a single line: an input would drop line breaks, which a stored title may have. (Enter sends the
   * form, see `keyboard.ts`.)
   */
  function TextField({ schema, description, value, onChange }: FieldProps): React.ReactNode {
    const text = typeof value === 'string' ? value : '';
    return (
      <textarea
        dir="auto"
        rows={description === 'body' ? 8 : 1}
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
        return (
          <Faults.Provider value={faultsOf(specSelectors, path, method)}>
            <Operation {...props} />
          </Faults.Provider>
        );
      },
      JsonSchemaForm: (Original: React.ComponentType<FieldProps>) => (props: FieldProps) => (
        <NamedField Original={Original} {...props} />
      ),
      JsonSchema_string: (Original: React.ComponentType<FieldProps>) => (props: FieldProps) => {
        const Text = props.dispatchInitialValue === undefined ? Original : TextField;
        return DATE_NAME.test(props.description) ? <DateField Text={Text} {...props} /> : <Text {...props} />;
      },
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
          // The text of each media type is kept, and the two form types share theirs. Swagger UI would show the state
          // of the form as JSON.
          setRequestContentType:
            (original: (chosen: ChosenType) => void, { oas3Actions, oas3Selectors }: System) =>
            (chosen: ChosenType) => {
              const { pathMethod, value: type } = chosen;
              const before = oas3Selectors.requestContentType(...pathMethod);
              const body = oas3Selectors.requestBodyValue(...pathMethod);
              bodies.set(bodyKey(pathMethod, before), isForm(body) ? textsOf(body) : body);
              original(chosen);
              oas3Actions.setRequestBodyValue({ pathMethod, value: undefined });
              const value = bodies.get(bodyKey(pathMethod, type));
              if (value !== undefined) oas3Actions.setRequestBodyValue({ pathMethod, value });
            },
        },
        wrapSelectors: {
          // Else Swagger UI empties the text of another media type that it takes for an example.
          hasUserEditedBody: () => () => true,
          requestBodyInclusionSetting: () => () => ({ get: () => true }),
          validateShallowRequired: () => () => [],
        },
      },
    },
  };
};

function bodyKey(pathMethod: PathMethod, mediaType: string | null): string {
  return [...pathMethod, mediaType?.includes('form') ? 'form' : mediaType].join(' ');
}

function isForm(body: unknown): body is Data {
  return typeof body === 'object' && body !== null;
}

/** The fields of a form with their texts, as `setRequestBodyValue` takes them. */
function textsOf(form: Data): Data {
  return form.map((field) => field.get('value'));
}
