import { POST_MODULES } from '../bootstrap/post-modules.js';
import { NDJSON_TYPE } from '../http/protocol/index.js';
import { ImportsService } from '../imports/imports.service.js';
import { loadSettings } from '../settings/load-settings.js';
import type { Environment } from '../settings/settings.js';
import { print, withContext } from './command-context.js';
import { progressOf } from './progress.js';

/** On SQLite, the transaction of an import has a time limit, within which a slow machine stores these, too. */
const IMPORT_POSTS = 5_000;

/** Stores sample posts. */
export async function seed(count: number, overrides: Environment): Promise<void> {
  const show = progressOf('Storing');
  await withContext(loadSettings(overrides), POST_MODULES, async (context) => {
    const imports = context.get(ImportsService, { strict: false });
    const posts = samplePosts(count);
    for (let done = 0; done < count; done += IMPORT_POSTS) {
      show(done / count);
      const body = linesOf(posts, IMPORT_POSTS);
      await imports.store({ body, mediaType: NDJSON_TYPE, author: { kind: 'command', name: 'seed' } });
    }
  });
  print(`${count.toLocaleString('en')} sample posts were stored.`);
}

async function* linesOf(posts: Iterator<object>, most: number): AsyncGenerator<Buffer> {
  for (let count = 0; count < most; count += 1) {
    const post = posts.next();
    if (post.done) return;
    yield Buffer.from(`${JSON.stringify(post.value)}\n`);
  }
}

/**
 * The texts of each language: titles, in which `{}` stands for a place; places; and sentences. The languages include
 * right-to-left text, combining marks, text without spaces and characters beyond U+FFFF.
 */
const LANGUAGES = `
A morning at {}|“Where is {}?” / the river|platform 9|the allotments / Fog until noon.|It’s <later> than it looks.
Grüße {}|Übermorgen {} / am Fluss|auf der Straße|im Schloßgarten / Es regnete.|„Schön hier“, sagte jemand.
Pourquoi {} ?|Ça se passe {} / à la plage|chez Zoé|au cœur de Liège / L’été s’achève.|Il neigeait.
Μια μέρα {}|Γράμμα {} / στη θάλασσα|στην Αθήνα|στο νησί / Ο ήλιος έδυε.|Κανείς δεν μίλησε.
День {}|Письмо {} / у реки|из Ярославля|в лесу / Шёл снег.|Ёлка уже стояла.
يوم {}|رسالة {} / عند النهر|من القاهرة / كان الجو جميلاً.|شربنا الشاي.
יום {}|מכתב {} / על הנהר|מחיפה / השמש זרחה.|שתינו תה.
{} का एक दिन|{} से चिट्ठी / नदी|वाराणसी / सुबह ठंडी थी।|हमने चाय पी।
{}の一日|来自{}的信 / 川辺|京都|𠮷野家 / 朝は霧が深かった。|我们喝了茶。
🦊 {} 🌊|{} 👩‍👩‍👧‍👦 / 🏖️|🇺🇳|🎉🎉🎉 / ☕️☕️☕️|👍🏽|🐦‍⬛`
  .trim()
  .split('\n')
  .map(
    (language) => language.split(' / ').map((texts) => texts.split('|')) as [string[], string[], string[]],
  );

/** The date of the newest sample post. Each further post is older, until the dates begin again 800 years before. */
const NEWEST = Date.UTC(2026, 10, 20, 14, 40);
const GAP_MS = 27 * 60 * 60 * 1_000;
const DATES = 260_000;
const MAX_PARAGRAPHS = 4;
const MAX_SENTENCES = 5;

/** Generates varied posts in many languages. The sequence is always the same. */
export function* samplePosts(count: number): Generator<Record<'title' | 'pub_date' | 'body', string>> {
  let state = 1;
  /** A pseudo-random number from 0 to 1, the next of a sequence that is always the same (Park and Miller). */
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!;
  const several = (max: number, text: () => string): string[] =>
    Array.from({ length: 1 + Math.floor(next() * max) }, text);
  for (let number = 0; number < count; number += 1) {
    const [titles, places, sentences] = pick(LANGUAGES);
    const paragraph = (): string => several(MAX_SENTENCES, () => pick(sentences)).join(' ');
    yield {
      title: pick(titles).replace('{}', pick(places)),
      pub_date: new Date(NEWEST - (number % DATES) * GAP_MS).toISOString(),
      body: several(MAX_PARAGRAPHS, paragraph).join('\n\n'),
    };
  }
}
