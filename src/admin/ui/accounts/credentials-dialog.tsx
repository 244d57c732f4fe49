import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Problem } from '../api/problem.js';
import { TitledDialog } from '../shell/dialogs.js';
import { Failure } from '../shell/failure.js';
import { t } from '../texts/texts.js';

export interface CredentialsDialogProps extends CredentialsFormProps {
  readonly isOpen: boolean;
  readonly title: string;
}

/** Asks for a name and passwords. The form is a new one each time that the dialog opens. */
export function CredentialsDialog({ isOpen, title, ...form }: CredentialsDialogProps): ReactNode {
  return (
    <TitledDialog title={title} open={isOpen} onClose={form.onClose} maxWidth="xs">
      <CredentialsForm {...form} />
    </TitledDialog>
  );
}

const FIELDS = {
  username: { label: 'accounts.username', type: 'text', autoComplete: 'off' },
  current_password: { label: 'accounts.currentPassword', type: 'password', autoComplete: 'current-password' },
  password: { label: 'accounts.newPassword', type: 'password', autoComplete: 'new-password' },
} as const;

type Field = keyof typeof FIELDS;
type Credentials = Record<Field, string>;

const NONE: Credentials = { username: '', current_password: '', password: '' };

export interface CredentialsFormProps {
  readonly text?: string;
  readonly action: string;
  /** What is asked for, in this order. */
  readonly fields: readonly Field[];
  /** What it throws is shown at the field that it is about, or over the form. */
  readonly onSubmit: (credentials: Credentials) => Promise<void>;
  readonly onClose: () => void;
}

function CredentialsForm({ text, action, fields, onSubmit, onClose }: CredentialsFormProps): ReactNode {
  const { register, handleSubmit, setError, setFocus, formState } = useForm({ defaultValues: NONE });
  const [failure, setFailure] = useState<unknown>();
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (credentials) => {
    setFailure(undefined);
    try {
      await onSubmit(credentials);
      onClose();
    } catch (error) {
      const faults = faultsOf(error).filter(({ field }) => fields.includes(field));
      for (const { field, detail } of faults) setError(field, { message: detail });
      const [first] = faults;
      if (first) setFocus(first.field);
      else setFailure(error);
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <DialogContent>
        <Stack sx={{ gap: 2, pt: 0.5 }}>
          {text !== undefined && <Typography>{text}</Typography>}
          {failure !== undefined && <Failure error={failure} />}
          {fields.map((field, index) => {
            const { ref, ...input } = register(field, { required: t('accounts.missing') });
            const { label, type, autoComplete } = FIELDS[field];
            return (
              <TextField
                key={field}
                {...input}
                inputRef={ref}
                required
                autoFocus={index === 0}
                type={type}
                autoComplete={autoComplete}
                label={t(label)}
                error={errors[field] !== undefined}
                helperText={errors[field]?.message}
                slotProps={{ htmlInput: { autoCapitalize: 'none', spellCheck: false } }}
              />
            );
          })}
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button onClick={onClose} disabled={isSubmitting}>
          {t('lists.cancel')}
        </Button>
        <Button type="submit" variant="contained" loading={isSubmitting}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}

function faultsOf(error: unknown): { field: Field; detail: string }[] {
  if (!(error instanceof Problem)) return [];
  return error.errors.flatMap(({ pointer, detail }) => {
    const field = pointer?.slice(1) ?? '';
    return field in FIELDS ? [{ field: field as Field, detail }] : [];
  });
}
