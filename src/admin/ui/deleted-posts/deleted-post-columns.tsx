import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { AuthorName } from '../changes/change-columns.js';
import type { Column } from '../shell/data-table.js';
import { Moment } from '../shell/moment.js';
import { formatUtc } from '../texts/dates.js';
import { t } from '../texts/texts.js';
import type { DeletedPost } from './deleted-post.js';

export interface DeletedPostActions {
  readonly rows: readonly DeletedPost[];
  readonly selected: ReadonlySet<number>;
  readonly onSelect: (selected: ReadonlySet<number>) => void;
  readonly onRestore: (post: DeletedPost) => void;
  readonly onPurge: (post: DeletedPost) => void;
}

export function deletedPostColumns(actions: DeletedPostActions): Column<DeletedPost>[] {
  const { rows, selected, onSelect, onRestore, onPurge } = actions;
  const areAll = rows.length > 0 && rows.every(({ id }) => selected.has(id));
  const areSome = rows.some(({ id }) => selected.has(id));
  return [
    {
      id: 'select',
      label: (
        <Checkbox
          size="small"
          checked={areAll}
          indeterminate={areSome && !areAll}
          onChange={() => onSelect(new Set(areAll ? [] : rows.map(({ id }) => id)))}
          slotProps={{ input: { 'aria-label': t('deletedPosts.selectAll') } }}
          sx={{ m: -1 }}
        />
      ),
      isBareOnPhone: true,
      render: ({ id, title }) => (
        <Checkbox
          size="small"
          checked={selected.has(id)}
          onChange={(_, isChecked) => {
            const others = [...selected].filter((each) => each !== id);
            onSelect(new Set(isChecked ? [...others, id] : others));
          }}
          slotProps={{ input: { 'aria-label': t('deletedPosts.select', { title }) } }}
          sx={{ m: -1 }}
        />
      ),
    },
    {
      id: 'title',
      label: t('lists.title'),
      isHeader: true,
      render: ({ id, title }) => (
        <span>
          <span dir="auto">{title}</span>
          <Typography variant="caption" component="span" sx={{ display: 'block', color: 'text.secondary' }}>
            {t('changes.onePost', { id })}
          </Typography>
        </span>
      ),
    },
    {
      id: 'deleted',
      label: t('deletedPosts.deletedAt'),
      render: ({ deleted_at }) => <Moment at={deleted_at} />,
    },
    { id: 'author', label: t('deletedPosts.by'), render: ({ author }) => <AuthorName author={author} /> },
    {
      id: 'published',
      label: t('deletedPosts.published'),
      render: ({ pub_date }) => `${formatUtc(pub_date)} UTC`,
    },
    {
      id: 'actions',
      label: t('lists.actions'),
      isBareOnPhone: true,
      render: (post) => (
        <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 0.5, mx: -0.625 }}>
          <Button
            size="small"
            aria-label={t('deletedPosts.restoreOne', { title: post.title })}
            onClick={() => onRestore(post)}
          >
            {t('deletedPosts.restore')}
          </Button>
          <Button
            size="small"
            component={Link}
            to={`/posts/${post.id}/history`}
            aria-label={t('deletedPosts.historyOf', { title: post.title })}
          >
            {t('deletedPosts.history')}
          </Button>
          <Button
            size="small"
            color="error"
            aria-label={t('deletedPosts.purgeOne', { title: post.title })}
            onClick={() => onPurge(post)}
          >
            {t('deletedPosts.purge')}
          </Button>
        </Stack>
      ),
    },
  ];
}
