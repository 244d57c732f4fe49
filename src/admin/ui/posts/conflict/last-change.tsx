import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../api/client.js';
import { formatUtc } from '../../texts/dates.js';
import { useTexts } from '../../texts/texts.js';

interface Revision {
  readonly at: string;
  readonly author: { readonly kind: string; readonly name?: string | null };
}

/** Who changed the post last, and when. Whoever does not know it can still decide, so a failure shows nothing. */
export function LastChange({ postId }: { postId: number }): ReactNode {
  const t = useTexts();
  const { data } = useQuery({
    queryKey: ['last-change', postId],
    queryFn: ({ signal }) =>
      api.json<Revision[]>(`admin/api/posts/${postId}/revisions/`, { query: { limit: 1 }, signal }),
    gcTime: 0,
  });
  const last = data?.[0];
  if (last === undefined) return null;
  return (
    <Typography sx={{ mt: 1, color: 'text.secondary' }}>
      {t('conflict.byWhom', {
        name: last.author.name ?? t('conflict.anonymous'),
        when: `${formatUtc(last.at)} UTC`,
      })}
    </Typography>
  );
}
