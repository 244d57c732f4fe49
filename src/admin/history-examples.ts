/** The history of a post for the examples of the OpenAPI document. */
const ANN = { kind: 'account', name: 'ann' } as const;

export const REVISION = {
  number: 2,
  action: 'changed',
  at: '2026-11-21T09:12:44.310Z',
  author: ANN,
  title: 'A walk along the river',
  pub_date: '2026-11-21T08:05:00.000Z',
};

export const WHOLE_REVISION = { ...REVISION, body: 'Fog in the morning, sun by noon.' };

export const FIRST_REVISION = {
  ...REVISION,
  number: 1,
  action: 'created',
  at: '2026-11-21T08:05:00.000Z',
  author: { kind: 'api', name: null },
};

export const DELETED_POST = {
  id: 7,
  title: REVISION.title,
  pub_date: REVISION.pub_date,
  deleted_at: '2026-11-22T17:30:05.004Z',
  author: ANN,
};

export const CHANGE = {
  id: 1204,
  post_id: 7,
  action: 'deleted',
  at: DELETED_POST.deleted_at,
  author: ANN,
  title: REVISION.title,
};

export const IMPORT = {
  id: 1203,
  post_id: 8,
  last_post_id: 1007,
  action: 'imported',
  at: '2026-11-22T17:02:00.120Z',
  author: { kind: 'token', name: 'nightly import' },
  title: null,
};
