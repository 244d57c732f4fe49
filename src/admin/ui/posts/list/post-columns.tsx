import { createContext, type ReactNode, useContext } from 'react';
import { Link } from 'react-router';
import { FIELD, type PostRow } from '../../api/posts.js';
import { CLASS, type Column } from '../../shell/list/data-table.js';
import { Moment } from '../../time/moment.js';
import type { ListState } from './list-link.js';
import { Marked } from './marked.js';

/** The excerpts of the posts of the list, by id. They come after its rows, which are not rendered again for them. */
export const Excerpts = createContext<ReadonlyMap<number, string> | undefined>(undefined);

/** The columns of the list. @param list its path, to come back to */
export function postColumns(search: string, list: string): Column<PostRow>[] {
  return [
    {
      label: FIELD.title.label,
      ordering: 'title',
      width: '28%',
      isHeader: true,
      render: ({ id, title }) => (
        <>
          {/* A plain link, because hundreds of them render at a click. */}
          <Link
            to={`/posts/${id}`}
            state={{ list } satisfies ListState}
            dir="auto"
            className={`${CLASS.text} ${CLASS.title}`}
          >
            <Marked text={titleText(title)} search={search} />
          </Link>
          <span className={CLASS.more}>{`#${id}`}</span>
        </>
      ),
    },
    {
      label: FIELD.pub_date.label,
      ordering: '-pub_date',
      width: 150,
      render: ({ pub_date }) => <Moment at={pub_date} />,
    },
    {
      label: 'Last changed',
      ordering: '-modified',
      width: 130,
      render: ({ modified }) => <Moment at={modified} />,
    },
    {
      label: 'Excerpt',
      isOptional: true,
      render: ({ id }) => <Excerpt id={id} search={search} />,
    },
  ];
}

/**
 * Returns a visible text for a title. A title may have no visible characters, and its link still needs a click target.
 */
export function titleText(title: string): string {
  return /[^\p{Z}\p{C}\u2800]/u.test(title) ? title : '(no visible title)';
}

function Excerpt({ id, search }: { id: number; search: string }): ReactNode {
  const text = useContext(Excerpts)?.get(id);
  return (
    <div dir="auto" className={CLASS.excerpt}>
      {text !== undefined && <Marked text={text} search={search} />}
    </div>
  );
}
