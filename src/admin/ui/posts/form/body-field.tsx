import Paper from '@mui/material/Paper';
import TextField from '@mui/material/TextField';
import { type ReactNode, useState } from 'react';
import { PLAIN_TEXT } from '../../theme/theme.js';
import { isLarge, LargeBody } from './large-body.js';
import { afterEdit, inTextArea } from './line-ends.js';
import type { FieldProps } from './post-form.js';

/** The rest of the window, so that the sticky bar at the bottom covers nothing. */
const HEIGHT = 'max(200px, calc(100dvh - 500px - var(--extra, 0px)))';

/** The body, as text. */
export function BodyField({ value, original, fault, onChange }: FieldProps): ReactNode {
  const [isHeld, setHeld] = useState(() => isLarge(value));
  if (isHeld) return <LargeBody body={value} onOpen={() => setHeld(false)} />;
  return (
    <TextField
      multiline
      label="Body"
      name="body"
      value={inTextArea(value)}
      onChange={({ target }) => onChange(afterEdit(original, target.value))}
      error={fault !== undefined}
      helperText={fault}
      slotProps={{
        // An auto-growing input would measure the whole text at each key press.
        input: { inputComponent: 'textarea' },
        htmlInput: { dir: 'auto', style: { height: HEIGHT, resize: 'vertical', lineHeight: 1.55 } },
      }}
    />
  );
}

/** A body for a user without the right to edit it. */
export function BodyText({ body }: { body: string }): ReactNode {
  const [isHeld, setHeld] = useState(() => isLarge(body));
  if (isHeld) return <LargeBody body={body} onOpen={() => setHeld(false)} />;
  return (
    <Paper
      variant="outlined"
      dir="auto"
      sx={{ ...PLAIN_TEXT, p: 2, minHeight: 200, maxWidth: '72ch', fontSize: '1rem', lineHeight: 1.65 }}
    >
      {body}
    </Paper>
  );
}
