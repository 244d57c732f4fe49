import Dialog from '@mui/material/Dialog';
import DialogTitle from '@mui/material/DialogTitle';
import { type ReactNode, useId } from 'react';
import { keepFocus } from '../shell/confirm-dialog.js';
import { CredentialsForm, type CredentialsFormProps } from './credentials-form.js';

export interface CredentialsDialogProps extends CredentialsFormProps {
  readonly isOpen: boolean;
  readonly title: string;
}

/** Asks for a name and passwords. The form is a new one each time that the dialog opens. */
export function CredentialsDialog({ isOpen, title, ...form }: CredentialsDialogProps): ReactNode {
  const id = useId();
  return (
    <Dialog
      open={isOpen}
      onClose={form.onClose}
      maxWidth="xs"
      fullWidth
      aria-labelledby={id}
      slotProps={{ transition: { onExited: keepFocus } }}
    >
      <DialogTitle id={id} component="h2" sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      <CredentialsForm {...form} />
    </Dialog>
  );
}
