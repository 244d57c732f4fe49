import { type ReactNode, useState } from 'react';

/** Opens a dialog. The function makes it, with `close` for its `onClose`. */
export type OpenDialog = (dialog: (close: () => void) => ReactNode) => void;

/** The open dialog of a page, if any, and the function that opens one. */
export function useDialog(): [dialog: ReactNode, open: OpenDialog] {
  const [dialog, setDialog] = useState<ReactNode>();
  const open: OpenDialog = (make) => {
    // Closes only itself: a dialog may have opened the next one.
    const own = make(() => setDialog((current: ReactNode) => (current === own ? undefined : current)));
    setDialog(own);
  };
  return [dialog, open];
}
