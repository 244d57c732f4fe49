import type * as React from 'react';
import { afterEdit, inTextArea } from '../../admin/ui/posts/form/line-ends.js';
import { fromInput, toInput } from '../../admin/ui/time/input.js';
import { MAX_CODE_POINTS } from './form-document.js';
import type { Data, Plugin } from './system.js';

interface FieldProps {
  readonly schema: Data;
  /** The name of the field or parameter. */
  readonly description: string;
  readonly value: unknown;
  readonly errors?: Data;
  readonly disabled?: boolean;
  /** Form fields start with an example; parameters do not have this property. */
  readonly dispatchInitialValue?: boolean;
  readonly onChange: (value: string | readonly string[]) => void;
}

interface Rules {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly [MAX_CODE_POINTS]?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The time zone of the browser. */
const ZONE = new Intl.DateTimeFormat('en').resolvedOptions().timeZone;

/** Inputs that match the schema of a text or a number, with its limits shown beside the value. */
export const fields: Plugin = ({ React }) => {
  const { useId } = React;

  function Field(props: FieldProps): React.ReactNode {
    const { schema, description: name, value, errors, disabled, dispatchInitialValue, onChange } = props;
    const id = useId();
    const rules = schema.toJS() as Rules;
    const text = textOf(value);
    const isOfForm = dispatchInitialValue !== undefined;
    const limit = isOfForm || text !== '' || rules.type === 'integer' ? limitOf(rules, text) : undefined;
    const isLong = isOfForm && !rules.maxLength && !rules.pattern;
    const input = {
      'aria-label': name,
      'aria-describedby': limit && id,
      'aria-invalid': Boolean(limit?.isExceeded) || Boolean(errors?.size),
      disabled,
    };
    return (
      <div className="field">
        {/* An input of one line drops line breaks. */}
        {isLong || /[\r\n]/.test(text) ? (
          <textarea
            {...input}
            rows={isLong ? 10 : 2}
            value={inTextArea(text)}
            onChange={({ target }) => onChange(afterEdit(text, target.value))}
          />
        ) : (
          <input
            {...input}
            type="text"
            inputMode={rules.type === 'integer' ? 'numeric' : 'text'}
            value={text}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
        {takesDates(rules) && <DatePicker name={name} value={text} disabled={disabled} onChange={onChange} />}
        {limit && (
          <small id={id} className={limit.isExceeded ? 'limit exceeded' : 'limit'} aria-live="polite">
            {limit.text}
          </small>
        )}
      </div>
    );
  }

  function DatePicker({ name, value, disabled, onChange }: DatePickerProps): React.ReactNode {
    const date = new Date(inUtc(value));
    const isDate = !Number.isNaN(date.getTime());
    return (
      <label className="picker">
        <input
          type="datetime-local"
          step="1"
          aria-label={`${name}, picked in ${ZONE}`}
          disabled={disabled}
          value={isDate ? toInput(date.toISOString(), ZONE) : ''}
          onChange={({ target }) => onChange(fromInput(target.value, ZONE, ''))}
        />
        <small>{ZONE}</small>
      </label>
    );
  }

  function Choice({ schema, description: name, value, disabled, onChange }: FieldProps): React.ReactNode {
    const isMultiple = schema.get('type') === 'array';
    const { enum: allowed = [] } = (isMultiple ? (schema.get('items') as Data) : schema).toJS() as Rules;
    const chosen = typeof value === 'object' && value !== null ? [...(value as Iterable<string>)] : [];
    return (
      <select
        aria-label={name}
        disabled={disabled}
        multiple={isMultiple}
        value={isMultiple ? chosen : textOf(value)}
        onChange={({ target }) => {
          const selected = [...target.selectedOptions].map((option) => option.value);
          onChange(isMultiple && selected.length > 0 ? selected : (selected[0] ?? ''));
        }}
      >
        {!isMultiple && <option value="">–</option>}
        {allowed.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    );
  }

  return {
    wrapComponents: {
      JsonSchema_string: () =>
        function TextOrChoice(props: FieldProps) {
          return props.schema.get('enum') ? <Choice {...props} /> : <Field {...props} />;
        },
      JsonSchema_array: (Original: React.ComponentType<FieldProps>) =>
        function ListOrChoices(props: FieldProps) {
          return props.schema.getIn(['items', 'enum']) ? <Choice {...props} /> : <Original {...props} />;
        },
    },
  };
};

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

interface DatePickerProps {
  readonly name: string;
  readonly value: string;
  readonly disabled: boolean | undefined;
  readonly onChange: (value: string) => void;
}

/** The limit of a value as text. Lengths are counted in code points, as the service counts them. */
function limitOf({ type, minimum = 0, maximum, ...rules }: Rules, text: string): Limit | undefined {
  const maxLength = rules.maxLength ?? rules[MAX_CODE_POINTS];
  if (maxLength !== undefined) {
    const length = Array.from(text).length;
    return { text: `${length} of ${maxLength} characters`, isExceeded: length > maxLength };
  }
  const isBounded = type === 'integer' && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (!isBounded) return undefined;
  const isExceeded = text !== '' && !(Number(text) >= minimum && Number(text) <= maximum);
  return { text: `${minimum} to ${maximum}`, isExceeded };
}

interface Limit {
  readonly text: string;
  readonly isExceeded: boolean;
}

/**
 * Whether a schema is for dates: its pattern matches a date but not a word. (Bare dates are also accepted, so no
 * `format` marks it.)
 */
function takesDates({ pattern }: Rules): boolean {
  if (pattern === undefined) return false;
  const rule = new RegExp(pattern);
  return rule.test('2026-11-20T14:40:00Z') && !rule.test('word');
}

/** A date accepted by the service, in a form that JavaScript reads the same way: without an offset it is UTC. */
function inUtc(text: string): string {
  const hasOffset = /[Zz]$|[+-]\d\d:\d\d$/.test(text);
  return /[Tt ]\d\d/.test(text) && !hasOffset ? `${text}Z` : text;
}
