import { Alert, Box, Button, Stack, TextField, Typography } from '@mui/material';
import { type ReactNode, useRef, useState } from 'react';
import type { IssuedApiTokenDto } from '../../api-tokens.controller.js';
import { TitledDialog } from '../shell/dialogs.js';
import { quoted } from '../texts/texts.js';
import { MONOSPACE } from '../theme/theme.js';

/** Shows a new token once. Only its button closes the dialog, so that a stray click does not lose the token. */
export function MadeTokenDialog({
  made,
  onClose,
}: {
  made: IssuedApiTokenDto;
  onClose: () => void;
}): ReactNode {
  const { name, token } = made;
  const input = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<'copied' | 'notCopied'>();

  const copy = async (): Promise<void> => {
    try {
      // Browsers offer the clipboard only to pages from https or localhost.
      await navigator.clipboard.writeText(token);
      setOutcome('copied');
    } catch {
      input.current?.select();
      setOutcome('notCopied');
    }
  };

  return (
    <TitledDialog
      title={`The token ${quoted(name)}`}
      maxWidth="sm"
      actions={
        <Button variant="contained" onClick={onClose}>
          Done
        </Button>
      }
    >
      <Typography>Copy it now: it is shown only once.</Typography>
      <Stack direction="row" sx={{ gap: 1, pt: 0.5 }}>
        <TextField
          label="Token"
          value={token}
          inputRef={input}
          slotProps={{ htmlInput: { readOnly: true, spellCheck: false, sx: { fontFamily: MONOSPACE } } }}
        />
        <Button variant="outlined" autoFocus onClick={() => void copy()} sx={{ flexShrink: 0 }}>
          Copy
        </Button>
      </Stack>
      <div role="status">
        {outcome && (
          <Alert severity={outcome === 'copied' ? 'success' : 'info'}>
            {outcome === 'copied'
              ? 'The token is copied.'
              : 'The browser does not let the site copy. The token is selected: copy it with Ctrl+C or ⌘C.'}
          </Alert>
        )}
      </div>
      <Typography variant="body2" color="textSecondary">
        Programs send it as a header field with each request:
      </Typography>
      <Box component="code" sx={{ fontFamily: MONOSPACE, fontSize: '0.8125rem', overflowWrap: 'anywhere' }}>
        Authorization: Bearer {token}
      </Box>
    </TitledDialog>
  );
}
