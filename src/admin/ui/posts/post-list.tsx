import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useGetList } from 'react-admin';
import type { PostRow } from '../api/posts.js';
import { Failure } from '../shell/failure.js';
import { Loading } from '../shell/loading.js';
import { Page } from '../shell/page.js';
import { useTexts } from '../texts/texts.js';

export function PostList(): ReactNode {
  const t = useTexts();
  const { data, error, refetch } = useGetList<PostRow>('posts', { meta: { fields: 'id,title,pub_date' } });
  return (
    <Page title={t('posts.title')}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && !error && <Loading />}
      {data?.length === 0 && <Typography>{t('posts.empty')}</Typography>}
      <List>
        {data?.map(({ id, title }) => (
          <ListItem key={id}>{title}</ListItem>
        ))}
      </List>
    </Page>
  );
}
