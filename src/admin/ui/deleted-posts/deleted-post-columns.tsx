import Button from '@mui/material/Button';
import { AuthorName, PostLink } from '../changes/change-columns.js';
import { RowActions } from '../shell/list/row-actions.js';
import type { Column } from '../shell/list/data-table.js';
import { t } from '../texts/texts.js';
import { Moment } from '../time/moment.js';
import type { DeletedPost } from './deleted-post.js';

export interface DeletedPostActions {
  readonly onRestore: ((post: DeletedPost) => void) | undefined;
  readonly onPurge: ((post: DeletedPost) => void) | undefined;
}

export function deletedPostColumns({ onRestore, onPurge }: DeletedPostActions): Column<DeletedPost>[] {
  return [
    {
      id: 'title',
      label: t('lists.title'),
      isHeader: true,
      render: ({ id, title }) => (
        <span>
          <PostLink id={id} title={title} />
          <span className="more">{t('changes.onePost', { id })}</span>
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
      render: ({ pub_date }) => <Moment at={pub_date} />,
    },
    {
      id: 'actions',
      label: t('lists.actions'),
      isBareOnPhone: true,
      render: (post) => (
        <RowActions>
          {onRestore && (
            <Button
              size="small"
              aria-label={t('deletedPosts.restoreOne', { title: post.title })}
              onClick={() => onRestore(post)}
            >
              {t('deletedPosts.restore')}
            </Button>
          )}
          {onPurge && (
            <Button
              size="small"
              color="error"
              aria-label={t('deletedPosts.purgeOne', { title: post.title })}
              onClick={() => onPurge(post)}
            >
              {t('deletedPosts.purge')}
            </Button>
          )}
        </RowActions>
      ),
    },
  ];
}
