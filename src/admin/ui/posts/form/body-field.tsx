import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId, useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import type { Content } from '../../api/posts.js';
import { PLAIN_TEXT } from '../../theme/theme.js';
import { isLarge, LargeBody } from './large-body.js';
import { afterEdit, inTextArea } from './line-ends.js';

/** The rest of the window, so that the sticky bar at the bottom covers nothing. */
const HEIGHT = 'max(200px, calc(100dvh - 540px - var(--extra, 0px)))';

/** The body, to write and to preview. It is rendered as text, never as HTML. */
export function BodyField({ control }: { control: Control<Content> }): ReactNode {
  const id = useId();
  const { field, fieldState } = useController({ control, name: 'body' });
  const [view, setView] = useState<'write' | 'preview'>('write');
  const [isHeld, setHeld] = useState(() => isLarge(field.value));
  if (isHeld) return <LargeBody body={field.value} onOpen={() => setHeld(false)} />;
  return (
    <Box>
      <Tabs
        value={view}
        onChange={(_, next: 'write' | 'preview') => setView(next)}
        aria-label="Body"
        sx={{ minHeight: 36, mb: 1, '& .MuiTab-root': { minHeight: 36, py: 0.5 } }}
      >
        {(['write', 'preview'] as const).map((tab) => (
          <Tab
            key={tab}
            value={tab}
            label={tab === 'write' ? 'Write' : 'Preview'}
            id={`${id}-${tab}`}
            aria-controls={`${id}-panel`}
          />
        ))}
      </Tabs>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${view}`}>
        {view === 'write' ? (
          <TextField
            multiline
            label="Body"
            name={field.name}
            inputRef={field.ref}
            value={inTextArea(field.value)}
            onBlur={field.onBlur}
            onChange={({ target }) => field.onChange(afterEdit(field.value, target.value))}
            error={fieldState.error !== undefined}
            helperText={fieldState.error?.message}
            slotProps={{
              // An auto-growing input would measure the whole text at each key press.
              input: { inputComponent: 'textarea' },
              htmlInput: { dir: 'auto', style: { height: HEIGHT, resize: 'vertical', lineHeight: 1.55 } },
            }}
          />
        ) : (
          <BodyPreview body={field.value} />
        )}
      </div>
    </Box>
  );
}

export function BodyPreview({ body }: { body: string }): ReactNode {
  return (
    <Paper
      variant="outlined"
      dir="auto"
      sx={{ ...PLAIN_TEXT, p: 2, minHeight: HEIGHT, maxWidth: '72ch', fontSize: '1rem', lineHeight: 1.65 }}
    >
      {body || <Typography color="textSecondary">There is nothing to show yet.</Typography>}
    </Paper>
  );
}
