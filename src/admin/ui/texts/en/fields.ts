import type { Field } from '../../api/posts.js';

/** The words for each field of a post. */
export const fields = {
  /** In the form, and where what it holds is compared. */
  label: { title: 'Title', pub_date: 'Date and time', body: 'Body' },
  /** In history and import. */
  name: { title: 'Title', pub_date: 'Date of publication', body: 'Text' },
  /** What a post of an import gets when no column is chosen. */
  noColumn: {
    title: 'Choose a column',
    pub_date: 'None: the time of the import',
    body: 'None: an empty text',
  },
} satisfies Record<string, Record<Field, string>>;
