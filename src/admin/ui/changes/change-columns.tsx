import Chip from '@mui/material/Chip';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Column } from '../shell/data-table.js';
import { Moment } from '../shell/moment.js';
import { t } from '../texts/texts.js';

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

/** Who changed a post; a name stands where there is one. */
export interface Author {
  readonly kind: 'api' | 'token' | 'account' | 'command';
  readonly name: string | null;
}

/** `found`: the post was there when its history began. */
export const ACTIONS = ['created', 'changed', 'deleted', 'restored', 'imported', 'found', 'purged'] as const;
export type Action = (typeof ACTIONS)[number];

export const AUTHOR_KINDS = ['account', 'token', 'api', 'command'] as const;

/** An entry of the change log; an import is one, for the posts from `post_id` to `last_post_id`. */
export interface Change {
  readonly id: number;
  readonly post_id: number;
  readonly last_post_id?: number;
  readonly action: Action;
  readonly at: string;
  readonly author: Author;
  readonly title: string | null;
}

const COLOURS = {
  created: 'success',
  changed: 'info',
  deleted: 'error',
  restored: 'success',
  imported: 'success',
  found: 'default',
  purged: 'error',
} as const;

/** What was done, in a word; the colour only repeats it. */
export function ActionChip({ action }: { action: Action }): ReactNode {
  return <Chip size="small" variant="outlined" color={COLOURS[action]} label={t(`lists.action.${action}`)} />;
}

export function AuthorName({ author: { kind, name } }: { author: Author }): ReactNode {
  return <span dir="auto">{t(`lists.author.${kind}`, { name: name ?? '' })}</span>;
}
