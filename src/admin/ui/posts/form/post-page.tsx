import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { Post } from '../../api/posts.js';
import { BackIcon } from '../../shell/icons.js';
import { t } from '../../texts/texts.js';
import { Moment } from '../../time/moment.js';
import { useListPath } from '../list/use-list-view.js';
import { BodyPreview } from './body-field.js';
import { isLarge, LargeBody } from './large-body.js';

/** The way back to the list as it was left, and to the neighbours in it. */
export function AbovePost(): ReactNode {
  const [listPath] = useListPath();
  return (
    <Stack direction="row" sx={{ gap: 1, mb: 0.5, ml: -0.5, minHeight: 36 }}>
      <Button component={Link} to={listPath} size="small" startIcon={<BackIcon />}>
        {t('form.back')}
      </Button>
    </Stack>
  );
}

/** The number of a post. */
export function PostFacts({ id }: { id: number }): ReactNode {
  return (
    <Typography variant="body2" sx={{ color: 'text.secondary', mt: { xs: -0.5, sm: -2 }, mb: 2.5 }}>
      {t('changes.onePost', { id })}
    </Typography>
  );
}

/** A post to those who may not change it. */
export function PostText({ post: { pub_date, body } }: { post: Post }): ReactNode {
  const [isHeld, setHeld] = useState(() => isLarge(body));
  return (
    <Stack sx={{ gap: 1.5 }}>
      <Moment at={pub_date} />
      {isHeld ? <LargeBody body={body} onOpen={() => setHeld(false)} /> : <BodyPreview body={body} />}
    </Stack>
  );
}
