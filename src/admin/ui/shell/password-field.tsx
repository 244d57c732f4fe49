import { mdiEyeOffOutline, mdiEyeOutline } from '@mdi/js';
import { IconButton, InputAdornment, TextField, type TextFieldProps } from '@mui/material';
import { type InputHTMLAttributes, type ReactNode, useState } from 'react';
import { Icon } from './icon.js';

export type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'slotProps'> & {
  readonly htmlInput: InputHTMLAttributes<HTMLInputElement>;
};

/** A password input with a button to show the text, to avoid typing errors. */
export function PasswordField({ htmlInput, ...props }: PasswordFieldProps): ReactNode {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      slotProps={{
        htmlInput,
        input: {
          endAdornment: (
            <InputAdornment position="end">
              <IconButton
                edge="end"
                aria-label={isShown ? 'Hide the password' : 'Show the password'}
                onClick={() => setShown(!isShown)}
              >
                <Icon path={isShown ? mdiEyeOffOutline : mdiEyeOutline} />
              </IconButton>
            </InputAdornment>
          ),
        },
      }}
    />
  );
}
