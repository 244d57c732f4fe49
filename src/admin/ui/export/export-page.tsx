import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Failure } from '../shell/failure.js';
import { LeaveGuard } from '../shell/leave-guard.js';
import { Outcome } from '../shell/outcome.js';
import { Page } from '../shell/page.js';
import { Progress } from '../shell/progress.js';
import { numberText } from '../texts/numbers.js';
import { t } from '../texts/texts.js';
import { momentText } from '../time/dates.js';
import { useTimeZone } from '../time/time-zone.js';
import { EXPORT_FORMATS, type ExportFormat } from './export-lines.js';
import { type Selection, SELECTION } from './export-posts.js';
import { type ExportState, useExport } from './use-export.js';

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
  const ids = { which: useId(), format: useId(), help: useId() };
  const selectionText = textOfSelection(listed, useTimeZone());

  return (
    <Page title={t('exporting.title')}>
      <LeaveGuard
        isDirty={state.step === 'running'}
        question={{ title: t('exporting.leaveTitle'), text: t('exporting.leaveText') }}
      />
      <Stack sx={{ gap: 3, alignItems: 'start' }}>
        <Typography sx={{ color: 'text.secondary' }}>{t('exporting.about')}</Typography>
        {isNarrowed && (
          <FormControl>
            <FormLabel id={ids.which}>{t('exporting.which')}</FormLabel>
            <RadioGroup
              aria-labelledby={ids.which}
              value={isSelection ? 'selection' : 'everything'}
              onChange={(_, value) => setSelection(value === 'selection')}
            >
              <FormControlLabel
                value="selection"
                control={<Radio />}
                label={t('exporting.selection', { selection: selectionText })}
                sx={{ overflowWrap: 'anywhere' }}
              />
              <FormControlLabel value="everything" control={<Radio />} label={t('exporting.everything')} />
            </RadioGroup>
          </FormControl>
        )}
        <FormControl>
          <FormLabel id={ids.format}>{t('exporting.format')}</FormLabel>
          <RadioGroup
            aria-labelledby={ids.format}
            aria-describedby={ids.help}
            value={format}
            onChange={(_, value) => setFormat(value as ExportFormat)}
          >
            {EXPORT_FORMATS.map((each) => (
              <FormControlLabel
                key={each}
                value={each}
                control={<Radio />}
                label={t(`exporting.formats.${each}`)}
              />
            ))}
          </RadioGroup>
          <FormHelperText id={ids.help} sx={{ mx: 0 }}>
            {t(`exporting.formatHelp.${format}`)}
          </FormHelperText>
        </FormControl>
        <Button
          variant="contained"
          disabled={state.step === 'running'}
          onClick={() => void run(isSelection ? listed : {}, format)}
        >
          {t('exporting.run')}
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

/** Describes the posts of a selection. */
function textOfSelection(selection: Selection, zone: string): string {
  const { search, title, pub_date_after, pub_date_before, id } = selection;
  const parts = [
    search !== undefined && t('exporting.parts.search', { value: search }),
    title !== undefined && t('exporting.parts.title', { value: title }),
    pub_date_after !== undefined &&
      t('exporting.parts.pub_date_after', { value: dateText(pub_date_after, zone) }),
    pub_date_before !== undefined &&
      t('exporting.parts.pub_date_before', { value: dateText(pub_date_before, zone) }),
    id !== undefined && t('exporting.parts.id', { smart_count: id.split(',').length }),
  ];
  return parts.filter((part) => part !== false).join(', ') || t('exporting.all');
}

/** Shows a day unchanged, and a date and time in the site's time zone. */
function dateText(date: string, zone: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(date)) return date;
  return Number.isNaN(Date.parse(date)) ? date : momentText(date, zone);
}
