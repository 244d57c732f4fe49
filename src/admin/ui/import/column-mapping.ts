/** The fields of a post that a file can fill, in the order that a post has them. */
export const IMPORT_FIELDS = ['title', 'pub_date', 'body'] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** Which column each field is taken from, from 0; a field without one is left to the service, or empty. */
export type ColumnMapping = Readonly<Partial<Record<ImportField, number>>>;

/** What columns are called by those who write such files, without spaces and signs. */
const NAMES: Readonly<Record<ImportField, readonly string[]>> = {
  title: ['title', 'posttitle', 'headline', 'subject', 'name', 'titel', 'titre'],
  pub_date: [
    'pubdate',
    'date',
    'published',
    'publishedat',
    'publishdate',
    'publicationdate',
    'postdate',
    'created',
    'createdat',
    'datum',
  ],
  body: ['body', 'content', 'text', 'postcontent', 'description', 'inhalt', 'contenu'],
};

/** Finds the columns by the names in the first row; a name that comes first in the lists above wins. */
export function guessMapping(header: readonly string[]): ColumnMapping {
  const columns = header.map((name) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''));
  const found = IMPORT_FIELDS.flatMap((field) => {
    const name = NAMES[field].find((each) => columns.includes(each));
    return name === undefined ? [] : [[field, columns.indexOf(name)] as const];
  });
  return Object.fromEntries(found);
}
