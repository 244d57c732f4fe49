import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Failure } from '../shell/failure.js';
import { RadioField } from '../shell/fields.js';
import { LeaveGuard } from '../shell/leave-guard.js';
import { Outcome } from '../shell/outcome.js';
import { Page } from '../shell/page.js';
import { Progress } from '../shell/progress.js';
import { numberText } from '../texts/numbers.js';
import { t } from '../texts/texts.js';
import { momentText } from '../time/dates.js';
import { useTimeZone } from '../time/time-zone.js';
import { EXPORT_FORMATS, type ExportFormat } from './export-lines.js';
import { type ExportState, type Selection, SELECTION, useExport } from './use-export.js';

/** Exports all posts, or the list's selection. The URL carries the selection as parameters of the API. */
export function ExportPage(): ReactNode {
  const [search] = useSearchParams();
  const listed = Object.fromEntries(
    SELECTION.flatMap((name) => (search.has(name) ? [[name, search.get(name)!]] : [])),
  ) as Selection;
  const isNarrowed = SELECTION.some((name) => name !== 'ordering' && name in listed);
  const [isSelection, setSelection] = useState(isNarrowed);
  const [format, setFormat] = useState<ExportFormat>('csv');
  const { state, run, stop } = useExport();
  const selectionText = textOfSelection(listed, useTimeZone());

  return (
    <Page title={t('exporting.title')}>
      <LeaveGuard
        isDirty={state.step === 'running'}
        question={{ title: t('exporting.leaveTitle'), text: t('exporting.leaveText') }}
      />
      <Stack sx={{ gap: 3, alignItems: 'start' }}>
        <Typography color="textSecondary">{t('exporting.about')}</Typography>
        {isNarrowed && (
          <RadioField
            label={t('exporting.which')}
            value={isSelection ? 'selection' : 'everything'}
            options={[
              ['selection', t('exporting.selection', { selection: selectionText })],
              ['everything', t('exporting.everything')],
            ]}
            onChange={(value) => setSelection(value === 'selection')}
          />
        )}
        <RadioField
          label={t('exporting.format')}
          value={format}
          options={EXPORT_FORMATS.map((each) => [each, t(`exporting.formats.${each}`)])}
          onChange={setFormat}
          help={t(`exporting.formatHelp.${format}`)}
        />
        <Button
          variant="contained"
          disabled={state.step === 'running'}
          onClick={() => void run(isSelection ? listed : {}, format)}
        >
          {t('exporting.title')}
        </Button>
        <Outcome step={state.step}>
          <ExportOutcome state={state} onStop={stop} />
        </Outcome>
      </Stack>
    </Page>
  );
}

function ExportOutcome({ state, onStop }: { state: ExportState; onStop: () => void }): ReactNode {
  if (state.step === 'idle') return null;
  if (state.step === 'running') {
    const { posts, total } = state;
    const detail =
      total === undefined
        ? t('exporting.progress', { posts: numberText(posts) })
        : t('exporting.progressOf', { posts: numberText(posts), total: numberText(total) });
    const share = total === undefined ? undefined : posts / Math.max(1, total);
    return <Progress label={t('exporting.running')} detail={detail} share={share} onStop={onStop} />;
  }
  if (state.step === 'failed') {
    return (
      <Stack sx={{ gap: 1.5 }}>
        <Failure error={state.error} />
        <Typography>{t('exporting.failed')}</Typography>
      </Stack>
    );
  }
  const posts = state.step === 'done' ? state.posts : 0;
  const text =
    state.step === 'stopped' ? 'exporting.stopped' : posts > 0 ? 'exporting.done' : 'exporting.none';
  return (
    <Alert severity={posts > 0 ? 'success' : 'info'} role="status">
      {t(text, { smart_count: posts, count: numberText(posts) })}
    </Alert>
  );
}

const PARTS = ['search', 'title', 'pub_date_after', 'pub_date_before'] as const;

/** Describes the posts of a selection. */
function textOfSelection(selection: Selection, zone: string): string {
  const parts = PARTS.flatMap((name) => {
    const value = selection[name];
    if (value === undefined) return [];
    return t(`exporting.parts.${name}`, {
      value: name.startsWith('pub_date') ? dateText(value, zone) : value,
    });
  });
  if (selection.id !== undefined) {
    parts.push(t('exporting.parts.id', { smart_count: selection.id.split(',').length }));
  }
  return parts.join(', ') || t('exporting.all');
}

/** Shows a day unchanged, and a date and time in the site's time zone. */
function dateText(date: string, zone: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(date)) return date;
  return Number.isNaN(Date.parse(date)) ? date : momentText(date, zone);
}
