import { Box, Button, TextField, Typography } from '@mui/material';
import { type ChangeEvent, type FormEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { faultsByField, isAboutFields, Problem, type RequestFault } from '../api/problem.js';
import { useAccount } from '../api/roles.js';
import { useSingleMutation } from '../api/use-single-mutation.js';
import { DAYS, PARTIAL_DATE } from '../time/input.js';
import { TitledDialog, useClose } from './dialogs.js';
import { Failure } from './failure.js';
import { SelectField } from './fields.js';
import { LeaveGuard } from './leave-guard.js';
import { PasswordField } from './password-field.js';

export type Values<Name extends string> = Readonly<Record<Name, string>>;

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
  /** Errors that it throws are shown at their fields. */
  readonly send: (values: Values<Name>, next: Next) => Promise<Result>;
  readonly onSent?: (result: Result, sent: Sent<Name, Next>, meanwhile: Meanwhile) => void;
}

/** The state of every form: its values, its faults, whether it differs from what is stored, and its request. */
export function useForm<Name extends string, Next = void, Result = void>(
  options: FormOptions<Name, Next, Result>,
) {
  const { initial, stored = initial, send, onSent } = options;
  const names = Object.keys(initial) as Name[];
  const element = useRef<HTMLDivElement & HTMLFormElement>(null);
  const [typed, setTyped] = useState<Partial<Values<Name>>>({});
  // A field may come later, as one about tokens that are still being read.
  const values = useMemo(() => ({ ...initial, ...typed }), [initial, typed]);
  /** Whether a date is half typed. It has no value. */
  const [isPartial, setPartial] = useState(false);
  const isLike = (other: Values<Name>): boolean => names.every((name) => values[name] === other[name]);

  const focus = (name: Name | undefined): void => {
    element.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  };
  const { mutate, reset, error, variables, isPending, isRunning } = useSingleMutation({
    mutationFn: async (sent: Sent<Name, Next>) => {
      const faults = faultsOfInputs(element.current);
      if (faults.length > 0) throw new Problem(400, 'Some fields have faults.', faults);
      return send(sent.values, sent.next);
    },
    onSuccess: (result, sent) => {
      const isChanged = isPartial || !isLike(sent.values);
      const state = isChanged ? 'changed' : 'unchanged';
      onSent?.(result, sent, element.current === null ? 'left' : state);
    },
    onError: (refusal) => {
      const refused = faultsByField(refusal, names);
      focus(names.find((name) => refused[name] !== undefined));
    },
  });
  const faults = faultsByField(error, names);
  for (const name of names) if (values[name] !== variables?.values[name]) delete faults[name];
  const check = (): void => setPartial(inputsOf(element.current).some(({ validity }) => validity.badInput));
  const submit = (next: Next, sent = values): void => mutate({ values: sent, next });

  return {
    values,
    change: (changed: Partial<Values<Name>>): void => setTyped((last) => ({ ...last, ...changed })),
    isDirty: isPartial || !isLike(stored),
    isPartial,
    /** The faults by field, as long as the fields have the values with the faults. */
    faults,
    isPending,
    isRunning,
    error,
    /** The error, unless its faults are shown at their fields. */
    failure: isAboutFields(error, names) ? null : error,
    /** The last values sent. */
    sent: variables,
    submit,
    focus,
    /** Forgets the last request. */
    reset,
    /** For the element with all inputs: the form, or what is around its parts. */
    areaProps: () => ({ ref: element }),
    /** For the `<form>`, with what its buttons of type `submit` do. */
    propsFor: (next: Next) => ({
      noValidate: true,
      // A date may become half typed, or whole, without a change of its value.
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

function inputsOf(element: HTMLElement | null): HTMLInputElement[] {
  return Array.from(element?.querySelectorAll<HTMLInputElement>('input, select, textarea') ?? []);
}

/** The faults that the browser finds, in the form of the service's. */
function faultsOfInputs(element: HTMLElement | null): RequestFault[] {
  const invalid = inputsOf(element).filter(({ validity }) => !validity.valid);
  return invalid.map(({ name, validity }) => ({ pointer: `/${name}`, detail: faultText(validity) }));
}

function faultText({ badInput, valueMissing }: ValidityState): string {
  if (badInput) return PARTIAL_DATE;
  return valueMissing ? 'Required.' : 'A date must be in the years 1 to 9999.';
}

/** An input of a form. Its name is the name of the request's member. */
export interface FormField<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly kind: 'text' | 'password' | 'choice' | 'day';
  /** Whether it is the password of the account that is logged in, which confirms what the form does. */
  readonly isOwn?: boolean;
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
  readonly takesFocus?: boolean;
}

/** The inputs of a form. The first one that must be filled in gets the focus. They wait while the form is sent. */
export function Inputs<Name extends string>({
  fields,
  form,
  takesFocus = true,
}: InputsProps<Name>): ReactNode {
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
      autoFocus: takesFocus && field === first,
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
    const input = {
      ...common,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => change(target.value),
    };
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

/** Tells password managers to which account the passwords of a form belong. People see it in the title. */
function AccountName({ name }: { name: string }): ReactNode {
  return <input type="text" autoComplete="username" value={name} readOnly style={{ display: 'none' }} />;
}

export interface FormDialogProps<Name extends string, Result> {
  readonly title: string;
  readonly text?: string;
  readonly action: string;
  readonly fields: readonly FormField<Name>[];
  /** The name of the account whose new password is entered. */
  readonly account?: string;
  readonly send: (values: Values<Name>) => Promise<Result>;
  /** Called with the result; without it, the dialog closes. */
  readonly onSent?: (result: Result) => void;
}

/** A dialog with a few inputs. */
export function FormDialog<Name extends string, Result>(props: FormDialogProps<Name, Result>): ReactNode {
  const close = useClose();
  const { title, text, action, fields, account, send, onSent = close } = props;
  const id = useId();
  const own = useAccount().username;
  // Password managers take a form for one account: one's own password has a form of its own beside that of another.
  const isApart = account !== own;
  const isConfirming = (field: FormField<Name>): boolean => isApart && field.isOwn === true;
  const entered = fields.filter((field) => !isConfirming(field));
  const confirming = fields.filter(isConfirming);
  const form = useForm({ initial: initialOf(fields), send, onSent });
  return (
    <TitledDialog
      title={title}
      // A click beside the dialog does not lose what was typed.
      onClose={(reason) => !form.isRunning() && (reason === 'escapeKeyDown' || !form.isDirty) && close()}
      actions={
        <>
          <Button onClick={close} disabled={form.isPending}>
            Cancel
          </Button>
          <Button type="submit" form={id} variant="contained" disabled={form.isPending}>
            {action}
          </Button>
        </>
      }
    >
      {text !== undefined && <Typography>{text}</Typography>}
      {form.failure !== null && <Failure error={form.failure} />}
      <Box {...form.areaProps()} sx={{ display: 'contents' }}>
        <form id={id} {...form.propsFor()} style={{ display: 'contents' }}>
          {account !== undefined && <AccountName name={account} />}
          <Inputs fields={entered} form={form} />
        </form>
        {confirming.length > 0 && (
          <form {...form.propsFor()} style={{ display: 'contents' }}>
            <AccountName name={own} />
            <Inputs fields={confirming} form={form} takesFocus={entered.length === 0} />
            {/* Without a button of its own, Enter would send a form only if it had a single input. */}
            <input type="submit" hidden value={action} />
          </form>
        )}
      </Box>
      <LeaveGuard isDirty={form.isDirty} close={close} />
    </TitledDialog>
  );
}
