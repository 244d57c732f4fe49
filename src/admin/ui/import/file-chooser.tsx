import { mdiFileUploadOutline } from '@mdi/js';
import { Box, Button, Typography } from '@mui/material';
import { type ReactNode, type RefObject, useState } from 'react';
import { useAnnouncement } from '../shell/announcements.js';
import { Icon } from '../shell/icon.js';
import { bytesText } from '../texts/texts.js';

const ACCEPTED = '.csv,.tsv,.txt,.ndjson,.jsonl,.json,text/csv,application/x-ndjson';

export const CHOOSE_ANOTHER = 'Choose another file';

export interface FileChooserProps {
  /** The input, for other buttons that open it. */
  readonly input: RefObject<HTMLInputElement | null>;
  readonly file: File | undefined;
  readonly isDisabled: boolean;
  readonly onChoose: (file: File) => void;
}

/** Accepts a file by a button or by drag and drop. */
export function FileChooser({ input, file, isDisabled, onChoose }: FileChooserProps): ReactNode {
  const [isOver, setOver] = useState(false);
  const chosen = file && `${file.name}, ${bytesText(file.size)}`;
  useAnnouncement(chosen);
  const take = (files: FileList | null): void => {
    const first = files?.item(0);
    if (first && !isDisabled) onChoose(first);
  };
  return (
    <Box
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: 1.5,
        alignItems: 'center',
        p: 2,
        border: '1px dashed',
        borderColor: isOver ? 'primary.main' : 'text.secondary',
        borderRadius: 1,
        backgroundColor: isOver ? 'action.hover' : 'background.paper',
      }}
    >
      <input
        ref={input}
        type="file"
        accept={ACCEPTED}
        hidden
        onChange={({ target }) => {
          take(target.files);
          // Allows the same file to be chosen again after it was fixed.
          target.value = '';
        }}
      />
      <Button
        variant={file ? 'outlined' : 'contained'}
        startIcon={<Icon path={mdiFileUploadOutline} />}
        disabled={isDisabled}
        onClick={() => input.current?.click()}
      >
        {file ? CHOOSE_ANOTHER : 'Choose a file'}
      </Button>
      <Typography sx={{ color: 'text.secondary', overflowWrap: 'anywhere', minWidth: 0 }}>
        {chosen ?? 'or drop it here'}
      </Typography>
    </Box>
  );
}
