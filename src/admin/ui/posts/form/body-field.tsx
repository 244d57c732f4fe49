import { TextField } from '@mui/material';
import type { ReactNode } from 'react';
import { UnlessLarge } from '../body-text.js';
import { afterEdit, inTextArea } from './line-ends.js';
import type { FieldProps } from './post-form.js';

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
          input: { inputComponent: 'textarea', sx: { flex: 1, alignItems: 'stretch' } },
          htmlInput: { dir: 'auto', style: { resize: 'vertical', lineHeight: 1.55 } },
        }}
        // The rest of the window, so that the sticky bar at the bottom covers nothing.
        sx={{ flex: '1 0 200px' }}
      />
    </UnlessLarge>
  );
}
