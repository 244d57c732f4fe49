import Dialog, { type DialogProps } from '@mui/material/Dialog';
import DialogTitle from '@mui/material/DialogTitle';
import { type ReactNode, useEffect, useId } from 'react';
import { focusHeading } from './page.js';

export interface TitledDialogProps extends Omit<DialogProps, 'title' | 'aria-labelledby'> {
  readonly title: string;
}

/** A dialog that is named by its heading, and loses nobody's focus. */
export function TitledDialog({ title, children, ...dialog }: TitledDialogProps): ReactNode {
  const id = useId();
  return (
    <Dialog fullWidth aria-labelledby={id} {...dialog}>
      <DialogTitle id={id} component="h2" sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      {children}
      <FocusKeeper />
    </Dialog>
  );
}

/** The focus goes back to what opened the dialog; where that has gone, as a row that was deleted, to the page's heading. */
function FocusKeeper(): null {
  // What an effect leaves behind is done once the dialog is out of the page, and the focus no longer in it.
  useEffect(
    () => () => {
      if (document.activeElement === document.body) focusHeading();
    },
    [],
  );
  return null;
}
