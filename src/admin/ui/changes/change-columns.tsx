import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Column } from '../shell/data-table.js';
import { Moment } from '../shell/moment.js';
import { t } from '../texts/texts.js';
import { ActionChip } from './action-chip.js';
import { AuthorName } from './author-name.js';
import type { Change } from './change.js';

/** What a change is shown with, in the log and on the dashboard. */
export function changeColumns(): Column<Change>[] {
  return [
    {
      id: 'post',
      label: t('lists.post'),
      isHeader: true,
      render: (change) => <ChangedPost change={change} />,
    },
    { id: 'action', label: t('lists.what'), render: ({ action }) => <ActionChip action={action} /> },
    { id: 'author', label: t('lists.who'), render: ({ author }) => <AuthorName author={author} /> },
    { id: 'at', label: t('lists.when'), render: ({ at }) => <Moment at={at} /> },
  ];
}

function ChangedPost({ change }: { change: Change }): ReactNode {
  const { post_id, last_post_id, title, action } = change;
  if (last_post_id !== undefined) {
    return t('changes.manyPosts', { first: post_id, last: last_post_id });
  }
  return (
    <span>
      {action === 'purged' ? (
        t('changes.onePost', { id: post_id })
      ) : (
        <MuiLink component={Link} to={`/posts/${post_id}/history`} dir="auto">
          {title ?? t('changes.onePost', { id: post_id })}
        </MuiLink>
      )}
      <Typography variant="caption" component="span" sx={{ display: 'block', color: 'text.secondary' }}>
        {action === 'purged' ? t('changes.gone') : t('changes.onePost', { id: post_id })}
      </Typography>
    </span>
  );
}
