import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { ActionChip } from '../changes/action-chip.js';
import { AuthorName } from '../changes/author-name.js';
import type { Column } from '../shell/data-table.js';
import { Moment } from '../shell/moment.js';
import { t } from '../texts/texts.js';
import type { Revision } from './revision.js';

export interface RevisionActions {
  /** The version that the post is in now; a deleted post is in none. */
  readonly current: number | undefined;
  readonly onCompare: (revision: Revision) => void;
  readonly onRestore: (revision: Revision) => void;
}

export function revisionColumns(actions: RevisionActions): Column<Revision>[] {
  const { current, onCompare, onRestore } = actions;
  return [
    {
      id: 'number',
      label: t('history.version'),
      isHeader: true,
      isBareOnPhone: false,
      render: ({ number }) => (number === current ? `${number} (${t('history.current')})` : number),
    },
    { id: 'action', label: t('lists.what'), render: ({ action }) => <ActionChip action={action} /> },
    { id: 'author', label: t('lists.who'), render: ({ author }) => <AuthorName author={author} /> },
    { id: 'at', label: t('lists.when'), render: ({ at }) => <Moment at={at} /> },
    { id: 'title', label: t('history.titleThen'), render: ({ title }) => <span dir="auto">{title}</span> },
    {
      id: 'actions',
      label: t('lists.actions'),
      isBareOnPhone: true,
      render: (revision) => (
        <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 0.5, mx: -0.625 }}>
          <Button
            size="small"
            aria-label={t('history.changesOf', { number: revision.number })}
            onClick={() => onCompare(revision)}
          >
            {t('history.changes')}
          </Button>
          {current !== undefined && revision.number !== current && (
            <Button
              size="small"
              aria-label={t('history.restoreOf', { number: revision.number })}
              onClick={() => onRestore(revision)}
            >
              {t('history.restore')}
            </Button>
          )}
        </Stack>
      ),
    },
  ];
}
