import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Link from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import { memo, type ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import type { PostRow } from '../../api/posts.js';
import { formatUtc } from '../../texts/dates.js';
import { t } from '../../texts/texts.js';
import type { Column } from './list-state.js';

export const CELL_WIDTHS: Readonly<Record<Column, number | string>> = {
  id: 96,
  title: '34%',
  pub_date: 176,
  excerpt: 'auto',
};

export interface PostTableRowProps {
  readonly row: PostRow;
  /** The table's columns. */
  readonly columns: readonly Column[];
  /** What is shown of a post, be it all in one column. */
  readonly shown: readonly Column[];
  readonly excerpt: string | undefined;
  readonly isSelected: boolean;
  readonly onSelect: (isOn: boolean) => void;
}

export function PostTableRow({
  row,
  columns,
  shown,
  excerpt,
  isSelected,
  onSelect,
}: PostTableRowProps): ReactNode {
  const isStacked = columns.length < shown.length;
  // A title may hold nothing that can be seen, and still needs something to press.
  const title = /[^\p{Z}\p{C}\u2800]/u.test(row.title) ? row.title : t('posts.list.untitled');
  const titleLink = (
    <Link
      component={RouterLink}
      to={`/posts/${row.id}`}
      sx={{ fontWeight: 550, overflowWrap: 'anywhere', ...CLAMPED, WebkitLineClamp: 3 }}
    >
      {title}
    </Link>
  );
  const cells: Record<Column, ReactNode> = {
    id: <Box sx={{ fontVariantNumeric: 'tabular-nums', color: 'text.secondary' }}>{row.id}</Box>,
    title: isStacked ? (
      <>
        {titleLink}
        {shown.includes('pub_date') && (
          <Box sx={{ color: 'text.secondary', fontSize: '0.8125rem', mt: 0.25 }}>
            <PubDate pubDate={row.pub_date} />
            {shown.includes('id') && ` · ${row.id}`}
          </Box>
        )}
        {shown.includes('excerpt') && <Excerpt text={excerpt} />}
      </>
    ) : (
      titleLink
    ),
    pub_date: <PubDate pubDate={row.pub_date} />,
    excerpt: <Excerpt text={excerpt} />,
  };
  return (
    <TableRow hover selected={isSelected}>
      <TableCell padding="checkbox" sx={{ verticalAlign: 'top' }}>
        <Checkbox
          size="small"
          // As far down as the first line beside it.
          sx={{ mt: 1.25 }}
          checked={isSelected}
          onChange={({ target }) => onSelect(target.checked)}
          slotProps={{ input: { 'aria-label': t('posts.selection.row', { title }) } }}
        />
      </TableCell>
      {columns.map((column) => (
        <TableCell
          key={column}
          sx={{ verticalAlign: 'top', py: 1.25 }}
          {...(column === 'title' && { component: 'th', scope: 'row' })}
        >
          {cells[column]}
        </TableCell>
      ))}
    </TableRow>
  );
}

const CLAMPED = { display: '-webkit-box', WebkitBoxOrient: 'vertical', overflow: 'hidden' } as const;

function PubDate({ pubDate }: { pubDate: string }): ReactNode {
  return (
    <Box
      component="time"
      dateTime={pubDate}
      title={pubDate}
      sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}
    >
      {formatUtc(pubDate)}
    </Box>
  );
}

const Excerpt = memo(function Excerpt({ text }: { text: string | undefined }): ReactNode {
  if (text === undefined) return <Skeleton width="80%" aria-hidden />;
  return (
    <Box sx={{ color: 'text.secondary', overflowWrap: 'anywhere', ...CLAMPED, WebkitLineClamp: 2 }}>
      {text}
    </Box>
  );
});
