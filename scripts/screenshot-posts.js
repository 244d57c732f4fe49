// Posts shown in the screenshots of the documentation.

const WALK = `We met at the bridge at seven, before the sun was over the hills.

The river was high after the rain. Two swans kept us company as far as the mill, where the path turns away from the water.

We were back by noon, wet to the knees, and had coffee at the ferry.
`;

const TEXTS = /** @type {const} */ ([
  ['The old ferry', 'For ninety years it has crossed the harbour, every twenty minutes.'],
  ['Bread in three hours', 'Flour, water, salt, and no patience at all.'],
  ['What the lighthouse keeper saw', 'A log book from 1911, found in a drawer.'],
  ['Spring tide', 'On Friday the quay was under water for an hour.'],
  ['Grüße aus Ödenburg', 'Eine Postkarte, die vierzig Jahre brauchte.'],
  ['Seven knots for beginners', 'The bowline first; the others follow from it.'],
  ['The market is back', 'Fish on Tuesdays, everything else on Saturdays.'],
  ['A map of every bench', 'Forty-one of them, and the three with a view.'],
  ['Winter opening hours', 'The reading room closes at six from November on.'],
  ['海の日', '港の花火は午後八時から。'],
  ['Notes on a small boat', 'She leaks a little. So does everyone.'],
  ['How the clock tower got its bell', 'It was meant for another town.'],
  ['Rain, day nineteen', 'The gauge at the mill reads 212 mm.'],
  ['Letters to the harbour master', 'Most of them are about gulls.'],
  ['The long bench', 'It seats thirty, if they know each other.'],
  ['Swimming before breakfast', 'Eleven degrees, and nobody regretted it.'],
]);

const MONTHS_OF_POSTS = 14;

const others = Array.from({ length: 60 }, (_, index) => {
  const [title, body] = TEXTS[index % TEXTS.length] ?? TEXTS[0];
  // The number of posts varies from month to month. No date is in the future.
  const month = 10 - ((index * index) % MONTHS_OF_POSTS);
  return {
    title: index < TEXTS.length ? title : `${title} (${Math.floor(index / TEXTS.length) + 1})`,
    body,
    pub_date: new Date(
      Date.UTC(2026, month, 1 + (index % 19), 6 + (index % 14), (index * 7) % 60),
    ).toISOString(),
  };
});

/** The first post is the one that gets changed. */
export const POSTS = /** @type {const} */ ([
  {
    title: 'A walk along the river',
    pub_date: '2026-11-20T07:00:00.000Z',
    body: WALK,
  },
  ...others,
]);

export const WALK_CHANGED = {
  title: 'A long walk along the river',
  body: WALK.replace('swans', 'herons').replace('by noon, wet to the knees,', 'by noon'),
};

/** A CSV file with lines to fix. */
export const CSV = `Headline;Published;Content
The new jetty;2026-11-02;"It is forty metres long.
Nobody has fallen off it yet."
;2026-11-03;A line whose title was forgotten.
Sunset at five;2026-02-30;The shortest day is near.
A line that is cut off;2026-11-04
Gulls, again;2026-11-05;They have learnt to open the bins.
`;

/** A CSV file whose dates are ambiguous: day first or month first. */
export const AMBIGUOUS_CSV = `Headline,Published,Content
The new jetty,1/2/2026 14:40,It is forty metres long.
Gulls again,3/4/2026 09:15,They have learnt to open the bins.
`;
