import TextField from '@mui/material/TextField';
import type { ReactNode } from 'react';
import { UnlessLarge } from '../body-text.js';
import { afterEdit, inTextArea } from './line-ends.js';
import type { FieldProps } from './post-form.js';

/** The rest of the window, so that the sticky bar at the bottom covers nothing. */
const HEIGHT = 'max(200px, calc(100dvh - 500px - var(--extra, 0px)))';

/** The body, as text. */
export function BodyField({ value, original, fault, onChange }: FieldProps): ReactNode {
  return (
    <UnlessLarge body={value}>
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
    </UnlessLarge>
  );
}
