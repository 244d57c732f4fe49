import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { faultsByField, Problem } from '../api/problem.js';
import { TitledDialog } from './dialogs.js';
import { Failure } from './failure.js';
import { SelectField } from './fields.js';
import { PasswordField } from './password-field.js';

/** An input of a dialog. Its name is the name of the request's member. */
export interface DialogField<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly kind: 'text' | 'password' | 'choice' | 'day';
  readonly initial?: string;
  readonly help?: string;
  readonly isOptional?: boolean;
  readonly autoComplete?: string;
  /** The options: their labels by value. */
  readonly options?: Readonly<Record<string, string>>;
}

export interface FormDialogProps<Name extends string> {
  readonly title: string;
  readonly text?: string;
  readonly action: string;
  /** The inputs, in this order. */
  readonly fields: readonly DialogField<Name>[];
  /** Errors that it throws are shown at their fields, or above the form. */
  readonly onSubmit: (values: Readonly<Record<Name, string>>) => Promise<void>;
  readonly onClose: () => void;
}

/** A dialog with a few inputs. The form is reset each time the dialog opens. */
export function FormDialog<Name extends string>(props: FormDialogProps<Name>): ReactNode {
  const { title, text, action, fields, onSubmit, onClose } = props;
  const { register, handleSubmit, setError, setFocus, setValue, formState } = useForm<Record<string, string>>(
    {
      defaultValues: Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])),
    },
  );
  const [failure, setFailure] = useState<unknown>();
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (values) => {
    setFailure(undefined);
    try {
      await onSubmit(values as Record<Name, string>);
      onClose();
    } catch (error) {
      const names: string[] = fields.map(({ name }) => name);
      const faults = error instanceof Problem ? faultsByField(error.errors, names) : {};
      const faulty = names.filter((name) => faults[name] !== undefined);
      for (const name of faulty) setError(name, { message: faults[name]! });
      const isAtFields =
        error instanceof Problem && faulty.length > 0 && faulty.length === error.errors.length;
      if (!isAtFields) setFailure(error);
      if (faulty[0] !== undefined) setFocus(faulty[0]);
    }
  });

  return (
    <TitledDialog
      title={title}
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" loading={isSubmitting}>
            {action}
          </Button>
        </>
      }
    >
      {text !== undefined && <Typography>{text}</Typography>}
      {failure !== undefined && <Failure error={failure} />}
      {fields.map(({ name, kind, label, help, isOptional, autoComplete = 'off', options = {} }, index) => {
        const { ref, ...input } = register(
          name,
          isOptional
            ? { validate: () => isWhole(name) || 'Enter a whole date, or none.' }
            : { required: 'Required.' },
        );
        const field = {
          ...input,
          inputRef: ref,
          label,
          autoComplete,
          required: !isOptional,
          autoFocus: index === 0,
          error: errors[name] !== undefined,
          helperText: errors[name]?.message ?? help,
          sx: { mt: 0.5 },
        };
        if (kind === 'password') return <PasswordField key={name} {...field} />;
        if (kind === 'choice') {
          return (
            <SelectField
              key={name}
              {...field}
              options={Object.entries(options)}
              onChange={(value) => setValue(name as string, value)}
            />
          );
        }
        return (
          <TextField
            key={name}
            {...field}
            type={kind === 'day' ? 'date' : 'text'}
            slotProps={{ htmlInput: { dir: 'auto', autoCapitalize: 'none', spellCheck: false } }}
          />
        );
      })}
    </TitledDialog>
  );
}

/** A partly typed date has no value; only its validity state reports that. */
function isWhole(name: string): boolean {
  return document.querySelector<HTMLInputElement>(`[role=dialog] [name=${name}]`)?.validity.badInput !== true;
}
