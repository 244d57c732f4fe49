import { Box, TextField } from '@mui/material';
import type { ReactNode } from 'react';
import type { TITLE_MAX_CODE_POINTS } from '../../../../posts/dto/post-fields.js';
import { plural } from '../../texts/texts.js';
import type { FieldProps } from './post-form.js';

const MAX_LENGTH: typeof TITLE_MAX_CODE_POINTS = 200;

/** The title, with its length as the service counts it: in Unicode code points. */
export function TitleField({ value, fault, onChange, isFirst }: FieldProps): ReactNode {
  const length = Array.from(value).length;
  const excess = length - MAX_LENGTH;
  return (
    <TextField
      label="Title"
      name="title"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      required
      autoFocus={isFirst}
      autoComplete="off"
      // A single-line input would drop line breaks, which a title may contain.
      multiline={/[\r\n]/.test(value)}
      error={fault !== undefined}
      helperText={
        <Box
          component="span"
          sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, justifyContent: 'space-between' }}
        >
          <span>{fault}</span>
          <Box
            component="span"
            translate="no"
            sx={{ fontVariantNumeric: 'tabular-nums', ...(excess > 0 && { color: 'error.main' }) }}
          >
            {`${length} of ${MAX_LENGTH} characters`}
            <span aria-live="polite">
              {excess > 0 && ` – ${plural(excess, '1 character too many', `${excess} characters too many`)}`}
            </span>
          </Box>
        </Box>
      }
      slotProps={{ htmlInput: { dir: 'auto' }, formHelperText: { component: 'div' } }}
    />
  );
}
