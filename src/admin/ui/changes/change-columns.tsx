import { Button, Chip, type ChipProps, Link as MuiLink } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { AuthorDto, ChangeDto, ChangedPostDto } from '../../change.dto.js';
import { jsonQuery } from '../api/client.js';
import { KEYS } from '../api/keys.js';
import { ROLE_NAMES, useMay } from '../api/roles.js';
import { runBulk } from '../shell/list/bulk.js';
import { Loaded } from '../shell/loaded.js';
import { momentColumn, UserText } from '../shell/list/columns.js';
import { CLASS, type Column } from '../shell/list/data-table.js';
import { counted, numberText, quoted } from '../texts/texts.js';

export const CHANGES_PATH = 'admin/api/changes/';

export const AUTHOR_KINDS: Readonly<Record<AuthorDto['kind'], string>> = {
  account: 'An account',
  token: 'An API token',
  api: 'API, without a token',
  command: 'A command on the server',
};

export const ACTION_NAMES: Readonly<Record<ChangeDto['action'], string>> = {
  created: 'Created',
  changed: 'Changed',
  deleted: 'Deleted',
  restored: 'Restored',
  imported: 'Imported',
  exported: 'Exported',
  found: 'Existed before the history began',
  purged: 'Deleted for good',
  logged_in: 'Logged in',
  login_failed: 'Log-in refused',
  logged_out: 'Logged out',
  account_added: 'Account added',
  account_enabled: 'Account enabled',
  account_disabled: 'Account disabled',
  role_changed: 'Role changed',
  password_changed: 'Password changed',
  token_created: 'Token created',
  token_revoked: 'Token revoked',
};

/** The colour of an action, which only repeats the text. */
function actionColour(action: ChangeDto['action']): ChipProps['color'] {
  if (/deleted|purged|disabled|revoked/.test(action)) return 'error';
  if (/created|restored|imported|added|enabled/.test(action)) return 'success';
  if (action.endsWith('changed')) return 'info';
  return action === 'login_failed' ? 'warning' : 'default';
}

/** The columns of a change, in the log and on the dashboard. */
export const CHANGE_COLUMNS: readonly Column<ChangeDto>[] = [
  {
    label: 'Post or account',
    width: '40%',
    isHeader: true,
    render: (change) => <Subject change={change} />,
  },
  {
    label: 'What',
    render: ({ action, count, detail }) => (
      <span>
        <ActionChip action={action} />
        {count > 1 && ` ×\u00a0${numberText(count)}`}
        {detail && <span className={CLASS.more}>{detailText(detail)}</span>}
      </span>
    ),
  },
  {
    label: 'Who',
    render: ({ action, author, address }) => (
      <span>
        {action === 'login_failed' ? 'Not logged in' : <AuthorName author={author} />}
        {address && <span className={CLASS.more}>{`from ${address}`}</span>}
      </span>
    ),
  },
  momentColumn('When', ({ at }) => at),
];

/** What an entry says besides: a role, by its name, or a sentence. */
function detailText(detail: string): string {
  const names: Readonly<Record<string, string>> = ROLE_NAMES;
  return names[detail] ?? detail;
}

function Subject({ change }: { change: ChangeDto }): ReactNode {
  const { id, post_id, last_post_id, post_count, title, action, subject, revision } = change;
  if (post_count !== undefined || last_post_id !== undefined) {
    const posts =
      post_count === undefined ? `Posts ${post_id} to ${last_post_id}` : counted(post_count, 'post');
    return (
      <ManyPosts id={id} label={posts}>
        {action === 'deleted' && <RestoreButton entry={id} posts={posts} />}
      </ManyPosts>
    );
  }
  if (post_id === undefined) return <UserText text={subject ?? '–'} />;
  const isGone = action === 'purged';
  const name = `Post ${post_id}`;
  return (
    <span>
      {isGone ? name : <PostLink id={post_id} title={title} />}
      <span className={CLASS.more}>
        {isGone ? 'Its content was deleted for good.' : name}
        {revision !== undefined && WITH_DIFFERENCE.includes(action) && (
          <>
            {' · '}
            <MuiLink
              component={Link}
              to={`/posts/${post_id}/history?to=${revision}`}
              aria-label={`What changed in ${quoted(title ?? name)}`}
              sx={{ whiteSpace: 'nowrap' }}
            >
              What changed
            </MuiLink>
          </>
        )}
      </span>
    </span>
  );
}

/** The actions that leave two versions to compare. */
const WITH_DIFFERENCE: readonly ChangeDto['action'][] = ['changed', 'restored', 'deleted'];

/** Links to the history of a post, which also exists for a deleted post. */
export function PostLink({ id, title }: { id: number; title: string | null }): ReactNode {
  return (
    <MuiLink component={Link} to={`/posts/${id}/history`}>
      <UserText text={title ?? `Post ${id}`} />
    </MuiLink>
  );
}

/** The most posts that are fetched. */
const SHOWN_POSTS = 200;

/** An action on several posts is one row, which expands. */
function ManyPosts({ id, label, children }: { id: number; label: string; children?: ReactNode }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const path = `${CHANGES_PATH}${id}/posts/`;
  const query = jsonQuery<ChangedPostDto[]>([...KEYS.changes, id], path, { limit: SHOWN_POSTS });
  const posts = useQuery({ ...query, enabled: isOpen });
  return (
    <div>
      <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} sx={{ ml: -0.75 }}>
        <span>{`${label} ${isOpen ? '▴' : '▾'}`}</span>
      </Button>
      {children}
      {isOpen && (
        <Loaded query={posts}>
          {(rows) => (
            <ul style={{ margin: 0, paddingInlineStart: 20 }}>
              {rows.map(({ post_id, title }) => (
                <li key={post_id}>
                  <PostLink id={post_id} title={title} />
                </li>
              ))}
              {rows.length === SHOWN_POSTS && <li>{`These are the first ${SHOWN_POSTS}.`}</li>}
            </ul>
          )}
        </Loaded>
      )}
    </div>
  );
}

/** Restores what one action deleted, as far as it is still deleted. */
function RestoreButton({ entry, posts }: { entry: number; posts: string }): ReactNode {
  if (!useMay()('editor')) return null;
  return (
    <Button
      size="small"
      aria-label={`Restore these ${posts}`}
      onClick={() => void runBulk('restorations', { entry })}
    >
      Restore these
    </Button>
  );
}

export function ActionChip({ action }: { action: ChangeDto['action'] }): ReactNode {
  return <Chip color={actionColour(action)} label={ACTION_NAMES[action]} />;
}

export function AuthorName({ author: { kind, name } }: { author: AuthorDto }): ReactNode {
  const names = { ...AUTHOR_KINDS, account: name ?? '', token: `Token ${quoted(name ?? '')}` };
  return <UserText text={names[kind]} />;
}
