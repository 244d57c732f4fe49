import { Button, Checkbox, FormControlLabel, Stack, Typography } from '@mui/material';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { FileImportDto } from '../../imports.controller.js';
import { queryClient } from '../api/client.js';
import { KEYS } from '../api/keys.js';
import { useStoppable } from '../api/use-stoppable.js';
import { Failure } from '../shell/failure.js';
import { LeaveGuard } from '../shell/leave-guard.js';
import { Page } from '../shell/page.js';
import { Outcome, Progress, Result } from '../shell/progress.js';
import { counted } from '../texts/texts.js';
import { FaultTable } from './fault-table.js';
import { CHOOSE_ANOTHER, FileChooser } from './file-chooser.js';
import { countsText, ImportPreview } from './import-preview.js';
import {
  type ChosenFile,
  chosenFile,
  importFile,
  type ImportRequest,
  isAboutFile,
  unusableFile,
  useImportCheck,
} from './use-import.js';

/** The import page: choose a file, see what an import of it would do, import it. */
export function ImportPage(): ReactNode {
  const [chosen, setChosen] = useState<ChosenFile>();
  const [replaces, setReplaces] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const check = useImportCheck(chosen);
  const importing = useStoppable(importFile);
  const isRunning = check.isFetching || importing.isPending;
  const choose = (file: File | undefined, isReplacing: boolean): void => {
    setReplaces(isReplacing);
    importing.reset();
    if (file) setChosen(chosenFile(file, isReplacing));
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
          input={input}
          file={chosen?.file}
          isDisabled={isRunning}
          onChoose={(file) => choose(file, replaces)}
        />
        <FormControlLabel
          control={
            <Checkbox
              checked={replaces}
              disabled={isRunning || importing.isSuccess}
              onChange={({ target: { checked } }) => choose(chosen?.file, checked)}
            />
          }
          label="Replace posts that have these ids"
          sx={{ alignSelf: 'start' }}
        />
        {chosen && (
          <Outcome step={`${check.fetchStatus} ${check.status} ${importing.status}`}>
            <ImportOutcome
              chosen={chosen}
              check={check}
              importing={importing}
              onChooseAnother={() => input.current?.click()}
            />
          </Outcome>
        )}
      </Stack>
    </Page>
  );
}

interface ImportOutcomeProps {
  readonly chosen: ChosenFile;
  readonly check: ReturnType<typeof useImportCheck>;
  readonly importing: ReturnType<typeof useStoppable<ImportRequest, FileImportDto>>;
  readonly onChooseAnother: () => void;
}

/** Shows the result of the check or the import, and the next actions. */
function ImportOutcome({ chosen, check, importing, onChooseAnother }: ImportOutcomeProps): ReactNode {
  const failureOf = (error: Error, repeat: () => void): ReactNode =>
    isAboutFile(error) ? (
      <Failure error={error} retry={onChooseAnother} retryLabel={CHOOSE_ANOTHER} />
    ) : (
      <Failure error={error} retry={repeat} />
    );
  if (importing.isPending)
    return <Progress label="The service is storing the posts" onStop={importing.stop} />;
  if (check.isFetching)
    return (
      <Progress
        label="The service is checking the posts"
        onStop={() => void queryClient.cancelQueries({ queryKey: KEYS.importCheck(chosen.key) })}
      />
    );
  if (importing.isSuccess) return <Done result={importing.data} />;
  if (importing.isError) {
    const { error, variables } = importing;
    return failureOf(error, () => importing.mutate(variables));
  }
  if (check.isError) return failureOf(check.error, () => void check.refetch());
  if (!check.data) {
    return (
      <Stack sx={{ gap: 2 }}>
        <Result severity="info">Stopped. Nothing was imported.</Result>
        <ActionButton label="Check the file again" onClick={() => void check.refetch()} />
      </Stack>
    );
  }
  const { format, faults } = check.data;
  if (faults.length > 0 && format === undefined) {
    return <Failure error={unusableFile(faults)} retry={onChooseAnother} retryLabel={CHOOSE_ANOTHER} />;
  }
  if (faults.length > 0) {
    return (
      <Stack sx={{ gap: 2 }}>
        <FaultTable check={check.data} />
        {/* The browser does not read a file again that has changed since it was chosen. */}
        <ActionButton label="Choose the corrected file" onClick={onChooseAnother} />
      </Stack>
    );
  }
  return (
    <ImportPreview check={check.data} onImport={(overrides) => importing.mutate({ chosen, overrides })} />
  );
}

function ActionButton({ label, onClick }: { label: string; onClick: () => void }): ReactNode {
  return (
    <Button variant="outlined" onClick={onClick} sx={{ alignSelf: 'start' }}>
      {label}
    </Button>
  );
}

function Done({ result }: { result: FileImportDto }): ReactNode {
  const { created, replaced, unchanged, skipped } = result;
  const count = created + replaced;
  return (
    <Stack sx={{ gap: 2 }}>
      <Result severity="success">
        {`${counted(count, 'post is', 'posts are')} imported.` +
          (replaced + unchanged + skipped > 0 ? ` ${countsText(result)}` : '')}
      </Result>
      <Button variant="contained" component={Link} to="/posts" sx={{ alignSelf: 'start' }}>
        Go to the posts
      </Button>
    </Stack>
  );
}
