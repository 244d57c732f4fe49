import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { AuthorDto, ChangeDto, ChangedPostDto } from '../../history/change.dto.js';
import { api } from '../api/client.js';
import { Loaded } from '../shell/loaded.js';
import { momentColumn, StateChip } from '../shell/list/columns.js';
import type { Column } from '../shell/list/data-table.js';
import { numberText } from '../texts/numbers.js';
import { t } from '../texts/texts.js';
import { ACTION_COLOURS, CHANGES_PATH } from './change.js';

/** The columns of a change, in the log and on the dashboard. */
export function changeColumns(): Column<ChangeDto>[] {
  return [
    {
      id: 'subject',
      label: t('changes.subject'),
      isHeader: true,
      render: (change) => <Subject change={change} />,
    },
    {
      id: 'action',
      label: t('lists.what'),
      render: ({ action, count, detail }) => (
        <span>
          <ActionChip action={action} />
          {count > 1 && ` ${t('changes.times', { count: numberText(count) })}`}
          {detail && <span className="more">{detail}</span>}
        </span>
      ),
    },
    {
      id: 'author',
      label: t('lists.who'),
      render: ({ action, author, address }) => (
        <span>
          {action === 'login_failed' ? t('changes.notLoggedIn') : <AuthorName author={author} />}
          {address && <span className="more">{t('changes.from', { address })}</span>}
        </span>
      ),
    },
    momentColumn('at', t('lists.when'), ({ at }) => at),
  ];
}

function Subject({ change }: { change: ChangeDto }): ReactNode {
  const { id, post_id, last_post_id, post_count, title, action, subject } = change;
  if (post_count !== undefined) {
    return (
      <ManyPosts
        id={id}
        label={t('changes.posts', { smart_count: post_count, count: numberText(post_count) })}
      />
    );
  }
  if (post_id === undefined) return <span dir="auto">{subject ?? t('changes.noSubject')}</span>;
  if (last_post_id !== undefined) {
    return <ManyPosts id={id} label={t('changes.manyPosts', { first: post_id, last: last_post_id })} />;
  }
  const isGone = action === 'purged';
  const name = t('changes.onePost', { id: post_id });
  return (
    <span>
      {isGone ? name : <PostLink id={post_id} title={title} />}
      <span className="more">{isGone ? t('changes.gone') : name}</span>
    </span>
  );
}

/** Links to the history of a post, which also exists for a deleted post. */
export function PostLink({ id, title }: { id: number; title: string | null }): ReactNode {
  return (
    <MuiLink component={Link} to={`/posts/${id}/history`} dir="auto">
      {title ?? t('changes.onePost', { id })}
    </MuiLink>
  );
}

/** The most posts that are fetched. */
const SHOWN_POSTS = 200;

/** An action on several posts is one row, which expands. */
function ManyPosts({ id, label }: { id: number; label: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const path = `${CHANGES_PATH}${id}/posts/`;
  const posts = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api.json<ChangedPostDto[]>(path, { query: { limit: SHOWN_POSTS }, signal }),
    enabled: isOpen,
  });
  return (
    <div>
      <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} sx={{ ml: -0.75 }}>
        {label} {isOpen ? '▴' : '▾'}
      </Button>
      {isOpen && (
        <Loaded query={posts}>
          {(rows) => (
            <ul style={{ margin: 0, paddingInlineStart: 20 }}>
              {rows.map(({ post_id, title }) => (
                <li key={post_id}>
                  <PostLink id={post_id} title={title} />
                </li>
              ))}
              {rows.length === SHOWN_POSTS && <li>{t('changes.morePosts', { count: SHOWN_POSTS })}</li>}
            </ul>
          )}
        </Loaded>
      )}
    </div>
  );
}

export function ActionChip({ action }: { action: ChangeDto['action'] }): ReactNode {
  return <StateChip color={ACTION_COLOURS[action]} label={t(`lists.action.${action}`)} />;
}

export function AuthorName({ author: { kind, name } }: { author: AuthorDto }): ReactNode {
  return <span dir="auto">{t(`lists.author.${kind}`, { name: name ?? '' })}</span>;
}
