import { type Arguments, type Command, UsageError } from './command.js';
import { storePosts } from './import-export.js';
import { loadSettings } from '../settings/load-settings.js';
import type { Progress } from './progress.js';

/** Lines per chunk. Batching makes the cost per line small. */
const LINES_IN_CHUNK = 100;

export const seed: Command = {
  name: 'seed',
  usage: 'COUNT [--url URL]',
  summary:
    'Store sample posts in many languages, all or none; the same ones each time. With --url, the service that runs at URL ' +
    'stores them, with the first of API_TOKENS.',
  options: ['url'],

  async run(args, print) {
    const count = readCount(args);
    const { url } = args.options;
    const { created } = await (url === undefined
      ? storePosts('ndjson', (progress) => sampleLines(count, progress))
      : sendTo(url, sampleLines(count)));
    print(`${created.toLocaleString('en')} sample posts were stored.`);
  },
};

/** Imports the lines over the API of a service. @throws Error when it does not store them */
async function sendTo(url: string, lines: AsyncIterable<Buffer>): Promise<{ readonly created: number }> {
  if (!URL.canParse(url)) throw new UsageError('--url: must be the URL of a service.');
  const [token] = loadSettings().apiTokens;
  const headers = new Headers({ 'Content-Type': 'application/x-ndjson' });
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  const posts = new URL('posts/', url.endsWith('/') ? url : `${url}/`);
  const response = await fetch(posts, { method: 'POST', headers, body: lines, duplex: 'half' }).catch(
    (cause: unknown) => {
      throw new Error(`There is no service at ${url}.`, { cause });
    },
  );
  if (!response.ok)
    throw new Error(`The service responded with ${response.status}: ${await response.text()}`);
  return (await response.json()) as { created: number };
}

async function* sampleLines(count: number, progress?: Progress): AsyncGenerator<Buffer> {
  let lines = '';
  let posts = 0;
  for (const post of samplePosts(count)) {
    lines += `${JSON.stringify(post)}\n`;
    posts += 1;
    if (posts % LINES_IN_CHUNK > 0 && posts < count) continue;
    progress?.show('Writing', posts / count);
    yield Buffer.from(lines);
    lines = '';
  }
}

function readCount({ others: [text = '', ...more] }: Arguments): number {
  if (!/^[1-9]\d{0,8}$/.test(text) || more.length > 0)
    throw new UsageError('COUNT must be a number from 1 to 999999999.');
  return Number(text);
}

/** The words of one language from which titles and sentences of sample posts are built. */
interface Voice {
  readonly titles: readonly string[];
  readonly places: readonly string[];
  readonly sentences: readonly string[];
}

/**
 * `{}` stands for the place. The languages include right-to-left text, combining marks, text without spaces and
 * characters beyond U+FFFF.
 */
const VOICES: readonly Voice[] = [
  {
    titles: ['A morning at {}', 'What I learnt at {}', '“Where is {}?”'],
    places: ['the river', 'the old harbour', 'platform 9', 'the allotments'],
    sentences: ['Fog until noon.', 'We stayed for soup & bread.', 'It’s <later> than it looks.'],
  },
  {
    titles: ['Ein Tag {}', 'Grüße {}', 'Übermorgen {}'],
    places: ['am Fluss', 'auf der Straße', 'im Schloßgarten'],
    sentences: ['Es regnete ausgiebig.', '„Schön hier“, sagte jemand.', 'Größe ist nicht alles.'],
  },
  {
    titles: ['Une journée {}', 'Pourquoi {} ?', 'Ça se passe {}'],
    places: ['à la plage', 'au cœur de Liège', 'chez Zoé'],
    sentences: ['Le café était déjà froid.', 'Où sont passés les élèves ?', 'L’été s’achève.'],
  },
  {
    titles: ['Μια μέρα {}', 'Γράμμα {}'],
    places: ['στη θάλασσα', 'στην Αθήνα'],
    sentences: ['Ο ήλιος έδυε.', 'Κανείς δεν μίλησε.'],
  },
  {
    titles: ['День {}', 'Письмо {}'],
    places: ['у реки', 'из Ярославля'],
    sentences: ['Шёл снег.', 'Ёлка уже стояла.'],
  },
  {
    titles: ['يوم {}', 'رسالة {}'],
    places: ['عند النهر', 'من القاهرة'],
    sentences: ['كان الجو جميلاً.', 'شربنا الشاي.'],
  },
  {
    titles: ['יום {}', 'מכתב {}'],
    places: ['על הנהר', 'מחיפה'],
    sentences: ['השמש זרחה.', 'שתינו תה.'],
  },
  {
    titles: ['{} का एक दिन', '{} से चिट्ठी'],
    places: ['नदी', 'वाराणसी'],
    sentences: ['सुबह ठंडी थी।', 'हमने चाय पी।'],
  },
  {
    titles: ['{}の一日', '{}からの手紙', '来自{}的信'],
    places: ['川辺', '京都', '𠮷野家'],
    sentences: ['朝は霧が深かった。', 'サギは動かなかった。', '我们喝了茶。'],
  },
  {
    titles: ['🦊 {} 🌊', '{} 👩‍👩‍👧‍👦'],
    places: ['🏖️', '🇺🇳', '🎉🎉🎉'],
    sentences: ['☕️☕️☕️', '👍🏽', '🐦‍⬛'],
  },
];

/** The date of the newest sample post. Each earlier post is up to two days older. */
const NEWEST = Date.UTC(2026, 10, 20, 14, 40);
const MAX_GAP_MS = 2 * 24 * 60 * 60 * 1_000;
/** The earliest date: years have four digits. */
const OLDEST = Date.UTC(1000, 0);
const MAX_PARAGRAPHS = 4;
const MAX_SENTENCES = 5;

/** Generates varied posts in many languages. The sequence is always the same. */
export function* samplePosts(count: number): Generator<Record<'title' | 'pub_date' | 'body', string>> {
  const next = numbers();
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!;
  const several = (max: number): undefined[] => Array.from({ length: 1 + Math.floor(next() * max) });
  let date = NEWEST;
  for (let number = 0; number < count; number += 1) {
    const { titles, places, sentences } = pick(VOICES);
    const paragraph = (): string =>
      several(MAX_SENTENCES)
        .map(() => pick(sentences))
        .join(' ');
    yield {
      title: pick(titles).replace('{}', pick(places)),
      pub_date: new Date(date).toISOString(),
      body: several(MAX_PARAGRAPHS).map(paragraph).join('\n\n'),
    };
    date = Math.max(OLDEST, date - Math.ceil(next() * MAX_GAP_MS));
  }
}

/** Returns a generator of pseudo-random numbers from 0 to 1, the same sequence each time (mulberry32). */
function numbers(): () => number {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
