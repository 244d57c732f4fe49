import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { faultsByField, Problem } from '../api/problem.js';
import { openDialog, TitledDialog } from './dialogs.js';
import { Failure } from './failure.js';
import { SelectField } from './fields.js';
import { PasswordField } from './password-field.js';

/** An input of a form. Its name is the name of the request's member. */
export interface FormField<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly kind: 'text' | 'password' | 'choice' | 'day';
  readonly initial?: string | undefined;
  readonly help?: string;
  readonly isOptional?: boolean;
  /** Says that a required input is empty. */
  readonly missing?: string;
  readonly autoComplete?: string;
  /** The options: their labels by value. */
  readonly options?: Readonly<Record<string, string>>;
}

type Values<Name extends string> = Readonly<Record<Name, string>>;

/**
 * The inputs of a form, which keep their values themselves. The first one that must be filled in gets the focus.
 *
 * @param send errors that it throws are shown at their fields
 */
export function useForm<Name extends string>(
  fields: readonly FormField<Name>[],
  send: (values: Values<Name>, form: HTMLFormElement) => Promise<void>,
) {
  const [faults, setFaults] = useState<Partial<Values<Name>>>({});
  /** Shows faults at their fields, and moves the focus to the first one. */
  const show = (form: HTMLFormElement, found: Partial<Values<Name>>): void => {
    setFaults(found);
    const first = fields.find(({ name }) => found[name] !== undefined);
    if (first) inputOf(form, first.name).focus();
  };
  const { mutate, reset, error, isPending } = useMutation({
    mutationFn: (form: HTMLFormElement) =>
      send(
        Object.fromEntries(fields.map(({ name }) => [name, inputOf(form, name).value])) as Values<Name>,
        form,
      ),
    onError: (refusal, form) => show(form, faultsOf(refusal, fields)),
  });
  const named = error instanceof Problem ? error.errors.length : 0;
  const areAllShown = named > 0 && Object.keys(faults).length === named;
  return {
    isPending,
    /** An error that concerns no single field. */
    failure: areAllShown ? null : error,
    /** Checks the inputs, and sends them. */
    submit: (form: HTMLFormElement): void => {
      reset();
      const invalid = fields.flatMap(({ name, missing = 'Required.' }) => {
        const { validity } = inputOf(form, name);
        // A partly typed date has no value.
        const text = validity.badInput ? 'Enter a whole date, or none.' : missing;
        return validity.valid ? [] : [[name, text]];
      });
      show(form, Object.fromEntries(invalid) as Partial<Values<Name>>);
      if (invalid.length === 0) mutate(form);
    },
    inputs: fields.map((field) => (
      <Input
        key={field.name}
        field={field}
        fault={faults[field.name]}
        isFirst={field === (fields.find(({ initial, isOptional }) => !initial && !isOptional) ?? fields[0])}
      />
    )),
  };
}

function inputOf(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

/** The reasons of a refusal by field; none for another error. */
function faultsOf<Name extends string>(
  error: unknown,
  fields: readonly FormField<Name>[],
): Partial<Values<Name>> {
  if (!(error instanceof Problem)) return {};
  return faultsByField(
    error.errors,
    fields.map(({ name }) => name),
  );
}

interface InputProps {
  readonly field: FormField<string>;
  readonly fault: string | undefined;
  readonly isFirst: boolean;
}

function Input({ field, fault, isFirst }: InputProps): ReactNode {
  const { name, kind, label, initial = '', help, isOptional, autoComplete = 'off', options = {} } = field;
  const common = {
    name,
    label,
    autoComplete,
    defaultValue: initial,
    required: !isOptional,
    autoFocus: isFirst,
    error: fault !== undefined,
    helperText: fault ?? help,
    sx: { mt: 0.5 },
  };
  if (kind === 'password') return <PasswordField {...common} />;
  if (kind === 'choice') return <SelectField {...common} options={Object.entries(options)} />;
  return (
    <TextField
      {...common}
      type={kind === 'day' ? 'date' : 'text'}
      slotProps={{ htmlInput: { dir: 'auto', autoCapitalize: 'none', spellCheck: false } }}
    />
  );
}

export interface FormDialogProps<Name extends string> {
  readonly title: string;
  readonly text?: string;
  readonly action: string;
  readonly fields: readonly FormField<Name>[];
  readonly send: (values: Values<Name>) => Promise<void>;
}

/** Opens a dialog with a few inputs. */
export function openForm<Name extends string>(form: FormDialogProps<Name>): void {
  openDialog((close) => <FormDialog {...form} close={close} />);
}

export function FormDialog<Name extends string>(
  props: FormDialogProps<Name> & { close: () => void },
): ReactNode {
  const { title, text, action, fields, send, close } = props;
  const { inputs, isPending, failure, submit } = useForm(fields, async (values) => {
    await send(values);
    close();
  });
  return (
    <TitledDialog
      title={title}
      onClose={close}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={close} disabled={isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" loading={isPending}>
            {action}
          </Button>
        </>
      }
    >
      {text !== undefined && <Typography>{text}</Typography>}
      {failure !== null && <Failure error={failure} />}
      {inputs}
    </TitledDialog>
  );
}
