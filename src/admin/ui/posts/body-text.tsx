import { Alert, Button, Paper, Typography } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { saveFile } from '../export/save-file.js';
import { bytesText } from '../texts/texts.js';
import { PLAIN_TEXT } from '../theme/theme.js';

/** Showing this many bytes blocks the browser for seconds. */
const LARGE_BYTES = 5_000_000;
/** So does this many lines, of any length. */
const MANY_LINES = 40_000;

/** Shows a text of any length, as text. */
export function BodyText({ body }: { body: string }): ReactNode {
  return (
    <UnlessLarge body={body}>
      <Paper variant="outlined" dir="auto" sx={{ ...PLAIN_TEXT, px: 2, py: 1.5, lineHeight: 1.65 }}>
        {body || <Typography color="textSecondary">Empty</Typography>}
      </Paper>
    </UnlessLarge>
  );
}

/** Instead of what would block the browser, offers to download the text, or to open it anyway. */
export function UnlessLarge({ body, children }: { body: string; children: ReactNode }): ReactNode {
  const [isHeld, setHeld] = useState(() => isLarge(body));
  if (!isHeld) return children;
  const file = new Blob([body], { type: 'text/plain' });
  return (
    <Alert
      severity="warning"
      action={
        <>
          <Button color="inherit" size="small" onClick={() => saveFile('body.txt', file)}>
            Download it
          </Button>
          <Button color="inherit" size="small" onClick={() => setHeld(false)}>
            Open it here
          </Button>
        </>
      }
    >
      {`The text has ${bytesText(file.size)}. Opening it may block this browser for many seconds. The other fields can be edited without it.`}
    </Alert>
  );
}

function isLarge(body: string): boolean {
  // Each UTF-16 code unit takes at most three bytes of UTF-8.
  const hasManyBytes = body.length * 3 >= LARGE_BYTES && new Blob([body]).size >= LARGE_BYTES;
  return hasManyBytes || hasManyLines(body);
}

function hasManyLines(body: string): boolean {
  let lines = 1;
  for (let at = body.indexOf('\n'); at >= 0 && lines < MANY_LINES; at = body.indexOf('\n', at + 1))
    lines += 1;
  return lines >= MANY_LINES;
}
