import { Button, TextField, Typography } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { faultsByField, Problem } from '../api/problem.js';
import { DAYS, PARTIAL_DATE } from '../time/input.js';
import { TitledDialog } from './dialogs.js';
import { Failure } from './failure.js';
import { SelectField } from './fields.js';
import { LeaveGuard } from './leave-guard.js';
import { PasswordField } from './password-field.js';

export type Values<Name extends string> = Readonly<Record<Name, string>>;
type Faults<Name extends string> = Partial<Record<Name, string>>;

/** The values that were sent, and the next action. */
export interface Sent<Name extends string, Next> {
  readonly values: Values<Name>;
  readonly next: Next;
}

/** The state of a form when its response arrives: as it was sent, changed by the user, or its page was left. */
export type Meanwhile = 'unchanged' | 'changed' | 'left';

export interface FormOptions<Name extends string, Next, Result> {
  /** The first values. Their names are the names of the inputs and of the members of the request. */
  readonly initial: Values<Name>;
  /** The stored values; without them, `initial`. */
  readonly stored?: Values<Name> | undefined;
  /** Finds faults that the inputs do not know. */
  readonly validate?: (values: Values<Name>) => Faults<Name>;
  /** Errors that it throws are shown at their fields. */
  readonly send: (values: Values<Name>, next: Next) => Promise<Result>;
  readonly onSent?: (result: Result, sent: Sent<Name, Next>, meanwhile: Meanwhile) => void;
}

/** The state of every form: its values, its faults, whether it differs from what is stored, and its request. */
export function useForm<Name extends string, Next = void, Result = void>(
  options: FormOptions<Name, Next, Result>,
) {
  const { initial, stored = initial, validate = () => ({}), send, onSent } = options;
  const names = Object.keys(initial) as Name[];
  const element = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState<Partial<Values<Name>>>({});
  // A field may come later, as one about tokens that are still being read.
  const values = useMemo(() => ({ ...initial, ...typed }), [initial, typed]);
  /** Faults that the browser has found, until they are corrected. */
  const [invalid, setInvalid] = useState<Faults<Name>>({});
  /** Whether a date is half typed. It has no value. */
  const [isPartial, setPartial] = useState(false);
  const isLike = (other: Values<Name>): boolean => names.every((name) => values[name] === other[name]);

  const focus = (name: Name | undefined): void => {
    element.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  };
  const { mutate, reset, error, variables, isPending } = useMutation({
    mutationFn: (sent: Sent<Name, Next>) => send(sent.values, sent.next),
    onSuccess: (result, sent) => {
      const isChanged = isPartial || !isLike(sent.values);
      onSent?.(result, sent, element.current === null ? 'left' : isChanged ? 'changed' : 'unchanged');
    },
    onError: (refusal) => {
      const found = faultsOf(refusal, names);
      focus(names.find((name) => found[name] !== undefined));
    },
  });
  const refused = faultsOf(error, names);
  const found: Faults<Name> = validate(values);
  const faultAt = (name: Name): string | undefined =>
    found[name] ?? invalid[name] ?? (values[name] === variables?.values[name] ? refused[name] : undefined);
  /** Looks at the inputs again: a date may have become half typed, or whole, without a change of its value. */
  const check = (): void => {
    if (!element.current) return;
    const left: Faults<Name> = faultsOfInputs(element.current);
    setPartial(Object.values(left).includes(PARTIAL_DATE));
    if (names.some((name) => invalid[name] !== undefined && left[name] === undefined)) {
      setInvalid(
        Object.fromEntries(Object.entries(invalid).filter(([name]) => name in left)) as Faults<Name>,
      );
    }
  };
  const submit = (next: Next, sent = values): void => {
    if (isPending) return;
    const empty: Faults<Name> = element.current ? faultsOfInputs(element.current) : {};
    setInvalid(empty);
    const faults = { ...empty, ...validate(sent) };
    const first = names.find((name) => faults[name] !== undefined);
    if (first === undefined) mutate({ values: sent, next });
    else focus(first);
  };

  return {
    values,
    change: (changed: Partial<Values<Name>>): void => setTyped((last) => ({ ...last, ...changed })),
    isDirty: isPartial || !isLike(stored),
    isPartial,
    /** The faults by field, as long as the fields have the values with the faults. */
    faults: Object.fromEntries(
      names.flatMap((name) => (faultAt(name) === undefined ? [] : [[name, faultAt(name)]])),
    ) as Faults<Name>,
    isPending,
    error,
    /** The error, unless its faults are shown at their fields. */
    failure: areOfFields(error, names) ? null : error,
    /** The last values sent. */
    sent: variables,
    submit,
    focus,
    /** Forgets the last request. */
    reset,
    /** For the `<form>`, with what its buttons of type `submit` do. */
    propsFor: (next: Next) => ({
      ref: element,
      noValidate: true,
      onInput: check,
      onKeyUp: check,
      onBlur: check,
      onSubmit: (event: FormEvent): void => {
        event.preventDefault();
        submit(next);
      },
    }),
  };
}

function faultsOfInputs<Name extends string>(form: HTMLFormElement): Faults<Name> {
  const faults: Partial<Record<string, string>> = {};
  for (const input of form.elements) {
    if ('validity' in input && 'name' in input)
      faults[String(input.name)] = faultOf(input as HTMLInputElement);
  }
  return Object.fromEntries(
    Object.entries(faults).filter(([, fault]) => fault !== undefined),
  ) as Faults<Name>;
}

function faultOf({ validity }: HTMLInputElement): string | undefined {
  if (validity.valid) return undefined;
  if (validity.badInput) return PARTIAL_DATE;
  if (validity.valueMissing) return 'Required.';
  return 'A date must be in the years 1 to 9999.';
}

/** The reasons of a refusal by field; none for another error. */
function faultsOf<Name extends string>(error: unknown, names: readonly Name[]): Faults<Name> {
  return error instanceof Problem ? faultsByField(error.errors, names) : {};
}

function areOfFields(error: unknown, names: readonly string[]): boolean {
  if (!(error instanceof Problem) || error.errors.length === 0) return false;
  return error.errors.every((each) => Object.keys(faultsByField([each], names)).length > 0);
}

/** An input of a form. Its name is the name of the request's member. */
export interface FormField<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly kind: 'text' | 'password' | 'choice' | 'day';
  readonly initial?: string | undefined;
  readonly help?: string;
  readonly isOptional?: boolean;
  readonly autoComplete?: string;
  /** The options: their labels by value. */
  readonly options?: Readonly<Record<string, string>>;
}

/** The first values of the fields. */
export function initialOf<Name extends string>(fields: readonly FormField<Name>[]): Values<Name> {
  return Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])) as Values<Name>;
}

export interface InputsProps<Name extends string> {
  readonly fields: readonly FormField<Name>[];
  readonly form: Pick<ReturnType<typeof useForm<Name>>, 'values' | 'change' | 'faults' | 'isPending'>;
}

/** The inputs of a form. The first one that must be filled in gets the focus. They wait while the form is sent. */
export function Inputs<Name extends string>({ fields, form }: InputsProps<Name>): ReactNode {
  const first = fields.find(({ initial, isOptional }) => !initial && !isOptional) ?? fields[0];
  return fields.map((field) => {
    const { name, kind, label, help, isOptional = false, autoComplete = 'off', options = {} } = field;
    const fault = form.faults[name];
    const change = (value: string): void => form.change({ [name]: value } as Partial<Values<Name>>);
    const common = {
      name,
      label,
      autoComplete,
      value: form.values[name],
      required: !isOptional,
      autoFocus: field === first,
      error: fault !== undefined,
      helperText: fault ?? help,
      sx: { mt: 0.5 },
    };
    if (kind === 'choice') {
      return (
        <SelectField
          key={name}
          {...common}
          disabled={form.isPending}
          options={Object.entries(options)}
          onChange={change}
        />
      );
    }
    const htmlInput = { readOnly: form.isPending, autoCapitalize: 'none', spellCheck: false };
    const input = { ...common, onChange: ({ target }: Typed) => change(target.value) };
    if (kind === 'password') return <PasswordField key={name} {...input} htmlInput={htmlInput} />;
    return (
      <TextField
        key={name}
        {...input}
        type={kind === 'day' ? 'date' : 'text'}
        slotProps={{ htmlInput: { ...htmlInput, ...(kind === 'day' ? DAYS : { dir: 'auto' }) } }}
      />
    );
  });
}

interface Typed {
  readonly target: { readonly value: string };
}

export interface FormDialogProps<Name extends string, Result> {
  readonly title: string;
  readonly text?: string;
  readonly action: string;
  readonly fields: readonly FormField<Name>[];
  readonly send: (values: Values<Name>) => Promise<Result>;
  /** Called with the result; without it, the dialog closes. */
  readonly onSent?: (result: Result) => void;
  readonly close: () => void;
}

/** A dialog with a few inputs. */
export function FormDialog<Name extends string, Result>(props: FormDialogProps<Name, Result>): ReactNode {
  const { title, text, action, fields, send, close, onSent = close } = props;
  const form = useForm({ initial: initialOf(fields), send, onSent });
  return (
    <TitledDialog
      title={title}
      // A click beside the dialog does not lose what was typed.
      onClose={(reason) => (reason === 'escapeKeyDown' || !form.isDirty) && close()}
      form={form.propsFor()}
      actions={
        <>
          <Button onClick={close} disabled={form.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" disabled={form.isPending}>
            {action}
          </Button>
        </>
      }
    >
      {text !== undefined && <Typography>{text}</Typography>}
      {form.failure !== null && <Failure error={form.failure} />}
      <Inputs fields={fields} form={form} />
      <LeaveGuard isDirty={form.isDirty} />
    </TitledDialog>
  );
}
