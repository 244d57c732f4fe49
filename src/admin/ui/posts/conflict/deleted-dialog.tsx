import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { TitledDialog } from '../../shell/dialogs.js';

export interface DeletedDialogProps {
  readonly onRestore: () => Promise<void>;
  readonly onCreate: () => Promise<void>;
  readonly onClose: () => void;
}

/** Shown when the edited post was deleted: restore it with the changes, or create a new post. */
export function DeletedDialog({ onRestore, onCreate, onClose }: DeletedDialogProps): ReactNode {
  const { mutate, isPending } = useMutation({ mutationFn: (action: () => Promise<void>) => action() });
  return (
    <TitledDialog
      title="This post was deleted meanwhile"
      onClose={onClose}
      maxWidth="sm"
      actions={
        <>
          <Button onClick={onClose}>Back to my text</Button>
          <Button variant="outlined" disabled={isPending} onClick={() => mutate(onCreate)}>
            Save as a new post
          </Button>
          <Button variant="contained" autoFocus disabled={isPending} onClick={() => mutate(onRestore)}>
            Restore with my changes
          </Button>
        </>
      }
    >
      <Typography>
        Your text is still here. Restore the post with your changes, under its id, or save your text as a new
        post.
      </Typography>
    </TitledDialog>
  );
}
