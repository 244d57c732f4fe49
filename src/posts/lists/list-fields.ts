import { DateField, IdsField, TitleField } from '../dto/post-fields.js';
import type { Post } from '../post.entity.js';
import { parsePubDate } from '../pub-date.js';

/** A value in the stored form of its column. */
export type FilterValue = string | readonly number[];

/** A parameter of a list that filters by one field. */
interface Filter<Sent, Value extends FilterValue> {
  /** `in` takes several values. */
  readonly operator: '=' | '>=' | '<' | 'in';
  /** The rule of the parameter, and its schema in the OpenAPI document. */
  readonly parameter: PropertyDecorator;
  /** Converts a valid value to its stored form. */
  readonly toStored: (sent: Sent) => Value;
}

type DateFilter = Filter<string, string>;

const storedDate = (sent: string): string => parsePubDate(sent)!;
const since = (description: string): DateFilter => ({
  operator: '>=',
  parameter: DateField({ required: false, description }),
  toStored: storedDate,
});
const before = (description: string): DateFilter => ({ ...since(description), operator: '<' });

/** A property that is never null. A walk cannot continue after null. */
type SortProperty = { [Name in keyof Post]: null extends Post[Name] ? never : Name }[keyof Post];

type ListField = {
  /** False for a field that a representation does not show, and `fields` cannot name. */
  readonly isShown: boolean;
  readonly filters: Readonly<Record<string, Filter<never, FilterValue>>>;
} & (
  | { readonly property: SortProperty; readonly isSortable: true | 'in the site' }
  | { readonly property: keyof Post; readonly isSortable: false }
);

/**
 * The fields of lists, in the order of every representation. All else follows from this table: the parameters of a
 * list and their documentation, what `fields` and `ordering` take, the columns of exports, the conditions in SQL, and
 * the keys in cursors. An ordering or a filter needs an index that begins with its column and ends with the id.
 */
export const LIST_FIELDS = {
  id: {
    property: 'id',
    isShown: true,
    isSortable: true,
    filters: {
      id: {
        operator: 'in',
        parameter: IdsField({
          required: false,
          description: 'The posts with these ids, comma-separated; the parameter may also be repeated.',
        }),
        toStored: (ids: readonly number[]): readonly number[] => ids,
      },
    },
  },
  title: {
    property: 'title',
    isShown: true,
    isSortable: true,
    filters: {
      title: {
        operator: '=',
        parameter: TitleField({ required: false, description: 'Posts with exactly this title.' }),
        toStored: (title: string): string => title,
      },
    },
  },
  title_key: { property: 'titleKey', isShown: false, isSortable: 'in the site', filters: {} },
  pub_date: {
    property: 'pubDate',
    isShown: true,
    isSortable: true,
    filters: {
      pub_date_after: since('Posts with this `pub_date` or a later one.'),
      pub_date_before: before('Posts with an earlier `pub_date`.'),
    },
  },
  body: { property: 'body', isShown: true, isSortable: false, filters: {} },
  modified: {
    property: 'modified',
    isShown: false,
    isSortable: true,
    filters: {
      modified_after: since(
        'Posts that were created or changed at this time or later. Deleted posts do not appear.',
      ),
    },
  },
} as const satisfies Readonly<Record<string, ListField>>;

type Fields = typeof LIST_FIELDS;
type FieldName = keyof Fields;
type NamesWith<Condition> = {
  [Name in FieldName]: Fields[Name] extends Condition ? Name : never;
}[FieldName];

/** A field that representations show. */
export type PostField = NamesWith<{ isShown: true }>;
/** A field that a list can be sorted by. */
export type SortField = NamesWith<{ isSortable: true | 'in the site' }>;
/** A field that a list can read. */
export type ReadField = FieldName;

const names = Object.keys(LIST_FIELDS) as readonly FieldName[];
/** In the order of every representation. */
export const POST_FIELDS = names.filter((name): name is PostField => LIST_FIELDS[name].isShown);
export const SORT_FIELDS = names.filter((name): name is SortField => LIST_FIELDS[name].isSortable !== false);

type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Filters = Merged<Fields[FieldName]['filters']>;
export type FilterName = keyof Filters;

/** The filters of a query, as the client sent them. */
export type SentFilters = {
  [Name in FilterName]?: Filters[Name] extends Filter<infer Sent, FilterValue> ? Sent : never;
};
/** The filters of a list in their stored form. */
export type StoredFilters = {
  readonly [Name in FilterName]?: Filters[Name] extends Filter<never, infer Value>
    ? Value | undefined
    : never;
};

/** A filter with its name and the property that it is about. */
export interface NamedFilter extends Filter<never, FilterValue> {
  readonly name: FilterName;
  readonly property: keyof Post;
}

export const FILTERS: readonly NamedFilter[] = Object.values(LIST_FIELDS).flatMap(({ property, filters }) =>
  Object.entries<Filter<never, FilterValue>>(filters).map(([name, filter]) => ({
    ...filter,
    property,
    name: name as FilterName,
  })),
);
