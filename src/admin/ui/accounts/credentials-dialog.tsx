import type { ReactNode } from 'react';
import { TitledDialog } from '../shell/titled-dialog.js';
import { CredentialsForm, type CredentialsFormProps } from './credentials-form.js';

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
