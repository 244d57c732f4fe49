import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../shell/loaded.js';
import { momentText } from '../shell/moment.js';
import { t } from '../texts/texts.js';
import { FieldDifferences } from './field-differences.js';
import { loadRevision, type Revision, type WholeRevision } from './revision.js';
import { RevisionContent } from './revision-content.js';

export interface ComparisonProps {
  readonly postId: number;
  readonly revisions: readonly Revision[];
  /** The older version; without one the other is shown as a whole. */
  readonly from: number | undefined;
  readonly to: number;
  readonly onChoose: (from: number | undefined, to: number) => void;
}

/** What differs between any two versions of a post. */
export function Comparison({ postId, revisions, from, to, onChoose }: ComparisonProps): ReactNode {
  const older = useRevision(postId, from);
  const newer = useRevision(postId, to);
  return (
    <Stack sx={{ gap: 2 }}>
      <Stack direction={{ xs: 'column', sm: 'row' }} sx={{ gap: 1.5, maxWidth: 720 }}>
        <TextField
          select
          label={t('history.from')}
          value={from ?? ''}
          onChange={({ target }) => onChoose(target.value === '' ? undefined : Number(target.value), to)}
          slotProps={{ select: { displayEmpty: true } }}
        >
          <MenuItem value="">{t('history.nothing')}</MenuItem>
          {optionsOf(revisions, from)}
        </TextField>
        <TextField
          select
          label={t('history.to')}
          value={to}
          onChange={({ target }) => onChoose(from, Number(target.value))}
        >
          {optionsOf(revisions, to)}
        </TextField>
      </Stack>
      {from === undefined ? (
        <Loaded query={newer}>{(revision) => <RevisionContent revision={revision} />}</Loaded>
      ) : (
        <Loaded query={older}>
          {(left) => <Loaded query={newer}>{(right) => <FieldDifferences from={left} to={right} />}</Loaded>}
        </Loaded>
      )}
    </Stack>
  );
}

/** A version never changes once it is there. */
function useRevision(postId: number, number: number | undefined): UseQueryResult<WholeRevision> {
  return useQuery({
    queryKey: ['revision', postId, number],
    queryFn: ({ signal }) => loadRevision(postId, number!, signal),
    enabled: number !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The versions of the page, and the chosen one though it be on another. */
function optionsOf(revisions: readonly Revision[], chosen: number | undefined): ReactNode[] {
  const listed = revisions.map(({ number, at }) => (
    <MenuItem key={number} value={number}>
      {t('history.numbered', { number, at: momentText(at) })}
    </MenuItem>
  ));
  if (chosen === undefined || revisions.some(({ number }) => number === chosen)) return listed;
  return [
    ...listed,
    <MenuItem key={chosen} value={chosen}>
      {t('history.versionNumber', { number: chosen })}
    </MenuItem>,
  ];
}
