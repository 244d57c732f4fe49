import { DateField, IdsField, TextField, TitleField } from '../dto/post-fields.js';
import type { Post } from '../post.entity.js';

/*
 * The fields of lists. All else follows from these tables: the parameters of a list and their documentation, what
 * `fields` and `ordering` take, the columns of exports, the conditions in SQL, and the keys in cursors.
 */

/** The fields that representations show, in their order, as properties of a post. */
const SHOWN_FIELDS = {
  id: 'id',
  title: 'title',
  pub_date: 'pubDate',
  body: 'body',
} as const satisfies Readonly<Record<string, keyof Post>>;
export type PostField = keyof typeof SHOWN_FIELDS;
export const POST_FIELDS = Object.keys(SHOWN_FIELDS) as readonly PostField[];

/** What a post of a list has only where `fields` names it: the time of its last change, and its entity tag. */
const VERSION_FIELDS = ['modified', 'etag'] as const;
export type ListField = PostField | (typeof VERSION_FIELDS)[number];
/** What `fields` takes, in the order of every representation. */
export const LIST_FIELDS: readonly ListField[] = [...POST_FIELDS, ...VERSION_FIELDS];

/** The fields that a list shows, in their order. @param requested by default those of a post */
export function shownFields(requested: readonly ListField[] = POST_FIELDS): readonly ListField[] {
  return LIST_FIELDS.filter((field) => requested.includes(field));
}

/** A property that is never null. A walk cannot continue after null. */
type SortProperty = { [Name in keyof Post]: null extends Post[Name] ? never : Name }[keyof Post];

/** The fields that a list can be sorted by. Each needs an index that begins with its column and ends with the id. */
export const SORT_FIELDS = {
  id: 'id',
  title: 'title',
  pub_date: 'pubDate',
  modified: 'modified',
} as const satisfies Readonly<Record<string, SortProperty>>;
export type SortField = keyof typeof SORT_FIELDS;

/** A parameter of a list that filters by one property, for which there must be an index. */
interface Filter {
  readonly property: keyof Post;
  /** `in` takes several values. */
  readonly operator: '=' | '>=' | '<' | 'in';
  /** Dates are converted to their stored form. */
  readonly isDate?: true;
  /** The rule of the parameter, and its schema in the OpenAPI document. */
  readonly parameter: PropertyDecorator;
}

function dateFilter(property: keyof Post, operator: '>=' | '<', description: string) {
  return {
    property,
    operator,
    isDate: true,
    parameter: DateField({ required: false, description }),
  } as const;
}

const FILTERS_BY_NAME = {
  id: {
    property: 'id',
    operator: 'in',
    parameter: IdsField({
      required: false,
      description:
        'The posts with these ids, comma-separated; the parameter may also be repeated, but not as `id[]`: ' +
        'axios needs `paramsSerializer: { indexes: null }`.',
    }),
  },
  title: {
    property: 'title',
    operator: '=',
    parameter: TitleField({ required: false, description: 'Posts with exactly this title.' }),
  },
  pub_date_after: dateFilter('pubDate', '>=', 'Posts with this `pub_date` or a later one.'),
  pub_date_before: dateFilter('pubDate', '<', 'Posts with an earlier `pub_date`.'),
  modified_after: dateFilter(
    'modified',
    '>=',
    'Posts that were created or changed at this time or later. Deleted posts do not appear.',
  ),
} as const satisfies Readonly<Record<string, Filter>>;

type FilterName = keyof typeof FILTERS_BY_NAME;
/** The values of filters: as the client sent them, or in their stored form. */
export type FilterValues = {
  [Name in FilterName]?:
    ((typeof FILTERS_BY_NAME)[Name]['operator'] extends 'in' ? readonly number[] : string) | undefined;
};

export type NamedFilter = Filter & { readonly name: FilterName };
export const FILTERS: readonly NamedFilter[] = Object.entries<Filter>(FILTERS_BY_NAME).map(
  ([name, filter]) => ({ ...filter, name: name as FilterName }),
);

/** The longest search, in Unicode code points: every link of a page repeats it. */
const MAX_SEARCH_CODE_POINTS = 200;

/** Parameters that filter by no column: a PostFinder of another room finds the posts. A list takes one of them. */
const FINDERS_BY_NAME = {
  search: TextField({
    required: false,
    minLength: 1,
    maxLength: MAX_SEARCH_CODE_POINTS,
    description:
      'Posts that contain all of these words in title or body. The last word also matches as a prefix. ' +
      'Case and diacritics do not matter; punctuation separates words.',
  }),
} as const satisfies Readonly<Record<string, PropertyDecorator>>;

export type FinderName = keyof typeof FINDERS_BY_NAME;
export type FinderValues = { [Name in FinderName]?: string | undefined };
export const FINDERS = Object.entries<PropertyDecorator>(FINDERS_BY_NAME).map(([name, parameter]) => ({
  name: name as FinderName,
  parameter,
}));
