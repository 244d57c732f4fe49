import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { NextIcon, PreviousIcon } from './icons.js';
import { api } from '../api/client.js';
import { cursorsOf, type PageCursors } from '../api/cursors.js';
import { t } from '../texts/texts.js';

/** A page of a list that is walked by cursors. */
export interface CursorPage<Row> {
  readonly rows: readonly Row[];
  readonly cursors: PageCursors;
}

/** Asks for the page that the address names with `cursor`; the one before stays on the screen meanwhile. */
export function useCursorPage<Row>(
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): UseQueryResult<CursorPage<Row>> {
  const [search] = useSearchParams();
  const cursor = search.get('cursor') || undefined;
  return useQuery({
    queryKey: [path, query, cursor],
    queryFn: async ({ signal }): Promise<CursorPage<Row>> => {
      const response = await api.send(path, { query: { ...query, cursor }, signal });
      return { rows: (await response.json()) as Row[], cursors: cursorsOf(response.headers.get('Link')) };
    },
    placeholderData: keepPreviousData,
  });
}

/** Leads to the neighbouring pages; nothing where there are none. */
export function CursorLinks({ cursors }: { cursors: PageCursors }): ReactNode {
  const [search] = useSearchParams();
  const linkTo = (cursor: string | undefined): object => {
    if (cursor === undefined) return { disabled: true };
    const query = new URLSearchParams(search);
    query.set('cursor', cursor);
    return { component: Link, to: `?${query}` };
  };
  if (cursors.next === undefined && cursors.prev === undefined) return null;
  return (
    <Stack component="nav" aria-label={t('lists.pages')} direction="row" sx={{ gap: 1, mt: 2 }}>
      <Button startIcon={<PreviousIcon />} {...linkTo(cursors.prev)}>
        {t('lists.newer')}
      </Button>
      <Button endIcon={<NextIcon />} {...linkTo(cursors.next)}>
        {t('lists.older')}
      </Button>
    </Stack>
  );
}
