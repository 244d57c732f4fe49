import { Box, Button, Stack, TextField, Typography } from '@mui/material';
import { type ReactNode, useState } from 'react';
import type { IssuedApiTokenDto } from '../../api-tokens.controller.js';
import { useAnnouncement } from '../shell/announcements.js';
import { TitledDialog, useClose } from '../shell/dialogs.js';
import { LeaveGuard } from '../shell/leave-guard.js';
import { notifyFailure } from '../shell/notices.js';
import { quoted } from '../texts/texts.js';
import { MONOSPACE } from '../theme/theme.js';

const COPIED = 'The token is copied.';
const QUESTION = { title: 'Leave without the token?', text: 'It is shown only once.' };

/** Shows a new token once. Only its button closes the dialog without a question, so that no stray click loses the token. */
export function MadeTokenDialog({ made: { name, token } }: { made: IssuedApiTokenDto }): ReactNode {
  const close = useClose();
  const [isCopied, setCopied] = useState(false);
  useAnnouncement(isCopied && COPIED);
  // Browsers offer the clipboard only to pages from https or localhost.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  return (
    <TitledDialog
      title={`The token ${quoted(name)}`}
      maxWidth="sm"
      actions={
        <Button variant="contained" onClick={close}>
          Done
        </Button>
      }
    >
      <Stack direction="row" sx={{ gap: 1, pt: 0.5, alignItems: 'start' }}>
        <TextField
          label="Token"
          value={token}
          autoFocus
          onFocus={({ target }) => target.select()}
          helperText={isCopied ? COPIED : 'Copy it now: it is shown only once.'}
          slotProps={{
            htmlInput: { readOnly: true, spellCheck: false, sx: { fontFamily: MONOSPACE } },
          }}
        />
        {clipboard && (
          <Button
            variant="outlined"
            onClick={() => void notifyFailure(clipboard.writeText(token).then(() => setCopied(true)))}
          >
            Copy
          </Button>
        )}
      </Stack>
      <Typography variant="body2" color="textSecondary">
        Programs send it as a header field with each request:
      </Typography>
      <Box component="code" sx={{ fontFamily: MONOSPACE, fontSize: '0.8125rem', overflowWrap: 'anywhere' }}>
        Authorization: Bearer {token}
      </Box>
      <LeaveGuard isDirty question={QUESTION} close={close} />
    </TitledDialog>
  );
}
