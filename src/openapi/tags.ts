/** The groups of operations, in the order in which people read them; a controller has one by `@ApiTags(TAGS.posts)`. */
export const TAGS = {
  posts: 'posts',
  problems: 'problems',
  discovery: 'discovery',
  operations: 'operations',
  history: 'history',
  headAndOptions: 'head-and-options',
} as const;

const DESCRIPTIONS: Readonly<Record<keyof typeof TAGS, string>> = {
  posts: 'Store, list, read, replace and delete posts.',
  problems: 'What the `type` of a problem leads to.',
  discovery: 'The entry point, this page and this description.',
  operations: 'For whoever runs the service.',
  history: 'What became of the posts, and who did it.',
  headAndOptions: 'What HTTP brings along: a GET without its body, and which methods a path has.',
};

/** The `tags` of the document. */
export const TAG_LIST = Object.entries(DESCRIPTIONS).map(([key, description]) => ({
  name: TAGS[key as keyof typeof TAGS],
  description,
}));
