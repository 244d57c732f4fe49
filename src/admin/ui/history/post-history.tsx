import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import type { RevisionDto } from '../../revisions.controller.js';
import { KEYS } from '../api/keys.js';
import { hasStatus } from '../api/problem.js';
import { useListRows } from '../shell/list/list-rows.js';
import { Empty, Loaded } from '../shell/loaded.js';
import { Page } from '../shell/page.js';
import { quoted } from '../texts/texts.js';
import { HistoryActions } from './history-actions.js';
import { LIMIT, revisionsPath, useNewestRevision } from './revision.js';
import { Versions } from './versions.js';

/** All revisions of a post, also of a deleted one: what changed, when and by whom. A revision can be restored. */
export function PostHistory(): ReactNode {
  const postId = Number(useParams()['id']);
  const page = useListRows<RevisionDto>(KEYS.revisions(postId), revisionsPath(postId), { limit: LIMIT });
  const { data: newest } = useNewestRevision(postId);
  const title = newest?.title ?? page.data?.rows[0]?.title;
  if (title === undefined) {
    return (
      <Page title={`History of post ${postId}`}>
        {hasStatus(page.error, 404) || page.data ? (
          <Empty>There has never been a post with this id, or its history is gone for good.</Empty>
        ) : (
          <Loaded query={page}>{() => null}</Loaded>
        )}
      </Page>
    );
  }
  return (
    <Page title={`History of ${quoted(title)}`} actions={<HistoryActions postId={postId} title={title} />}>
      <Loaded query={page}>{(data) => <Versions postId={postId} page={data} newest={newest} />}</Loaded>
    </Page>
  );
}
