import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { saveFile } from '../../export/save-file.js';
import { notifyFailure } from '../../shell/notices.js';
import { bytesText } from '../../texts/numbers.js';

/** A text area with this many bytes blocks the browser for seconds. */
const LARGE_BYTES = 5_000_000;

export function isLarge(body: string): boolean {
  // Each UTF-16 code unit takes at most three bytes of UTF-8.
  return body.length * 3 >= LARGE_BYTES && new Blob([body]).size >= LARGE_BYTES;
}

/** Replaces a body that would block the browser. Offers to download it, or to open it anyway. */
export function LargeBody({ body, onOpen }: { body: string; onOpen: () => void }): ReactNode {
  const size = bytesText(new Blob([body]).size);
  const download = (): Promise<boolean> =>
    saveFile({ name: 'body.txt', mediaType: 'text/plain', extension: '.txt' }, [body]);
  return (
    <Alert
      severity="warning"
      action={
        <>
          <Button color="inherit" size="small" onClick={() => void notifyFailure(download())}>
            Download it
          </Button>
          <Button color="inherit" size="small" onClick={onOpen}>
            Open it here
          </Button>
        </>
      }
    >
      {`The text has ${size}. Opening it may block this browser for many seconds. The other fields can be edited without it.`}
    </Alert>
  );
}
