import Link from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import type { PostRowDto } from '../../../posts.controller.js';
import type { Column as TableColumn } from '../../shell/list/data-table.js';
import { Moment } from '../../time/moment.js';
import type { ListState } from './list-path.js';
import { type Column, COLUMN_NAMES } from './list-view.js';
import { Marked } from './marked.js';

/** The columns of the list. @param list its path, to come back to */
export function postColumns(
  columns: readonly Column[],
  search: string,
  excerpts: ReadonlyMap<number, string> | undefined,
  list: string,
): TableColumn<PostRowDto>[] {
  const cells: Record<
    Column,
    Pick<TableColumn<PostRowDto>, 'width' | 'render' | 'isHeader' | 'isBareOnPhone'>
  > = {
    id: { width: 96, render: ({ id }) => id },
    title: {
      width: '34%',
      isHeader: true,
      render: ({ id, title }) => (
        <Link
          component={RouterLink}
          to={`/posts/${id}`}
          state={{ list } satisfies ListState}
          dir="auto"
          style={{ ...CLAMPED, WebkitLineClamp: 3 }}
        >
          <Marked text={titleText(title)} search={search} />
        </Link>
      ),
    },
    pub_date: { width: 232, isBareOnPhone: true, render: ({ pub_date }) => <Moment at={pub_date} /> },
    excerpt: {
      isBareOnPhone: true,
      render: ({ id }) => <Excerpt text={excerpts?.get(id)} search={search} />,
    },
  };
  return columns.map((id) => ({ id, label: COLUMN_NAMES[id], ...cells[id] }));
}

/**
 * Returns a visible text for a title. A title may have no visible characters, and its link still needs a click target.
 */
export function titleText(title: string): string {
  return /[^\p{Z}\p{C}\u2800]/u.test(title) ? title : '(no visible title)';
}

const CLAMPED = {
  display: '-webkit-box',
  WebkitBoxOrient: 'vertical',
  overflow: 'hidden',
  overflowWrap: 'anywhere',
} as const;

function Excerpt({ text, search }: { text: string | undefined; search: string }): ReactNode {
  if (text === undefined) return <Skeleton width="80%" aria-hidden />;
  return (
    <div dir="auto" style={{ ...CLAMPED, WebkitLineClamp: 2, opacity: 0.8 }}>
      <Marked text={text} search={search} />
    </div>
  );
}
