import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { LeaveGuard } from '../shell/leave-guard.js';
import { Outcome } from '../shell/outcome.js';
import { Page } from '../shell/page.js';
import { FileChooser } from './file-chooser.js';
import { ImportOutcome } from './import-outcome.js';
import { type ChosenFile, useImport } from './use-import.js';

/** The import page: choose a file, see what an import of it would do, import it. */
export function ImportPage(): ReactNode {
  const importing = useImport();
  const [file, setFile] = useState<File>();
  const [replaces, setReplaces] = useState(false);
  const { isRunning } = importing;
  const choose = (chosen: ChosenFile): void => {
    setFile(chosen.file);
    setReplaces(chosen.replaces);
    importing.check(chosen);
  };
  return (
    <Page title="Import">
      <LeaveGuard
        isDirty={isRunning}
        question={{
          title: 'Stop the import?',
          text: 'It ends when you leave this page, and nothing is imported unless the service has just finished.',
        }}
      />
      <Stack sx={{ gap: 3 }}>
        <Typography color="textSecondary">
          Imports posts from a file: all of them, or none. CSV needs a header: title, body, and perhaps
          pub_date and id. NDJSON has one post on each line.
        </Typography>
        <FileChooser
          file={file}
          isDisabled={isRunning}
          onChoose={(chosen) => choose({ file: chosen, replaces })}
        />
        <FormControlLabel
          control={
            <Checkbox
              checked={replaces}
              disabled={isRunning || importing.state.step === 'done'}
              onChange={({ target: { checked } }) =>
                file ? choose({ file, replaces: checked }) : setReplaces(checked)
              }
            />
          }
          label="Replace posts that have these ids"
          sx={{ alignSelf: 'start' }}
        />
        {file && (
          <Outcome step={importing.state.step}>
            <ImportOutcome importing={importing} chosen={{ file, replaces }} />
          </Outcome>
        )}
      </Stack>
    </Page>
  );
}
