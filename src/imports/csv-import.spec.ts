import { BodyShares } from '../http/request/body-shares.js';
import { BodyTooLarge } from '../problem-details/problems.js';
import { CsvFormat } from './import-formats.js';
import { type LineFault, type PostLine, readPosts } from './import-lines.js';
import type { LineRules } from './lines.js';

const MIB = 1_048_576;

async function* inChunks(bytes: Buffer, chunkBytes: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    yield bytes.subarray(start, start + chunkBytes);
  }
}

async function read(
  text: string | Buffer,
  { chunkBytes = 65_536, ...limits }: LineRules & { chunkBytes?: number } = {},
): Promise<{ posts: PostLine[]; faults: LineFault[] }> {
  const posts: PostLine[] = [];
  const faults: LineFault[] = [];
  const chunks = inChunks(Buffer.from(text), chunkBytes);
  for await (const post of readPosts(chunks, new CsvFormat(), { maxLineBytes: MIB, ...limits }, faults))
    posts.push(post);
  return { posts, faults };
}

const placeOf = (fault: LineFault): string => `${fault.line} ${String(Reflect.get(fault, 'pointer'))}`;

/** For each record, by its line: `title|body`, or its faults as `line pointer`. */
async function outcomeOf(text: string | Buffer, chunkBytes = 65_536): Promise<string[]> {
  const { posts, faults } = await read(text, { chunkBytes });
  const outcome = posts.map(({ line, post }) => ({ line, texts: [post.title, post.body] }));
  for (const line of new Set(faults.map((fault) => fault.line)))
    outcome.push({ line, texts: faults.filter((fault) => fault.line === line).map(placeOf) });
  return outcome.toSorted((a, b) => a.line - b.line).map(({ texts }) => texts.join('|'));
}

describe('an import as CSV', () => {
  it.each<[string, string, string[]]>([
    ['an empty body', '', []],
    ['CRLF', 'title,body\r\na,b\r\nc,d\r\n', ['a|b', 'c|d']],
    ['LF, and no line end at the end', 'title,body\na,b\nc,d', ['a|b', 'c|d']],
    ['a carriage return at the end', 'title,body\r\na,b\r', ['a|b']],
    ['a byte order mark before a quote', '\ufeff"title","body"\r\na,b', ['a|b']],
    ['characters that begin like a byte order mark', 'title,body\n\ufec0,\ufeff', ['\ufec0|\ufeff']],
    ['columns in another order, and an id', 'body,id,title\nb,x,a', ['a|b']],
    ['empty dates and bodies', 'title,pub_date,body\na,,\nc,"",""', ['a|', 'c|']],
    ['blank lines', '\n \t\r\ntitle,body\n\n\r\na,b\n \n', ['a|b']],
    ['doubled quotes', 'title,body\n"a ""b""",""""\n"""""",c', ['a "b"|"', '""|c']],
    ['commas and line ends in quotes', 'title,body\r\n"a,b","c\r\nd\n,\r"\r\n', ['a,b|c\r\nd\n,\r']],
    [
      'rows with too many or too few cells',
      'title,body\na,b,c\nd\n"e\n\nf",g\n,,\nh,i',
      ['2 ', '3 ', 'e\n\nf|g', '7 ', 'h|i'],
    ],
    [
      'stray quotes and carriage returns',
      'title,body\na"b,c\nd,"e"f"\n"g" ,h\ni,j\rk\n"l"\rm,n\no,p',
      ['2 /title', '3 /body', '4 /title', '5 /body', '6 /title', 'o|p'],
    ],
    ['a quote that is never closed', 'title,body\n"a\n",b\nc,"d\n\ne,f\n', ['a\n|b', '4 /body']],
    [
      'values that break the rules of a post',
      'title,body,pub_date\n" ",b,\na,"\0",2026-02-30\nc,d,2026-01-02',
      ['2 /title', '3 /pub_date|3 /body', 'c|d'],
    ],
  ])('reads %s in chunks of any size', async (_, text, expected) => {
    const bytes = Buffer.from(text);
    for (let chunkBytes = 1; chunkBytes <= bytes.length + 1; chunkBytes += 1)
      expect([chunkBytes, await outcomeOf(bytes, chunkBytes)]).toEqual([chunkBytes, expected]);
  });

  it('refuses bytes that are not UTF-8', async () => {
    const bytes = Buffer.from('title,body\na,\xff\nb,c', 'latin1');
    expect(await outcomeOf(bytes)).toEqual(['2 ', 'b|c']);
  });

  it.each<[string, string, string[]]>([
    ['an unknown column', 'title,body,colour\na,b,c', ['1 /colour']],
    ['several unknown columns', '\nTitle, body,body,title,\n', ['2 /Title', '2 / body', '2 /']],
    ['a column twice', 'title,body,title\na,b,c', ['1 /title']],
    ['no title and no body', 'id\n1', ['1 /title', '1 /body']],
    ['a name that is not UTF-8', '\xff', ['1 ']],
    ['a long name', `title,body,${'é'.repeat(1_000)}`, [`1 /${'é'.repeat(99)}…`]],
    [
      'more faults than a problem document lists',
      'x,'.repeat(1_000),
      [...Array.from({ length: 101 }, () => '1 /x'), '1 /title', '1 /body'],
    ],
  ])('is refused for its header: %s', async (name, text, places) => {
    const bytes = Buffer.from(text, name.includes('UTF-8') ? 'latin1' : 'utf8');
    const { posts, faults } = await read(bytes);
    expect([posts, faults.map(placeOf)]).toEqual([[], places]);
  });

  it('reads a large record that arrives in many chunks', async () => {
    for (const unit of ['"', 'a"', '""é"', '😀"\n', 'é,😀']) {
      const body = unit.repeat(Math.ceil(MIB / unit.length));
      const text = `title,body\nx,"${body.replaceAll('"', '""')}"\ny,z\n`;
      const { posts } = await read(text, { maxLineBytes: 8 * MIB });
      expect(posts.map(({ post }) => post.title)).toEqual(['x', 'y']);
      expect(posts[0]!.post.body === body).toBe(true);
    }
  });

  it('applies the limit to each record, and holds memory for one at a time', async () => {
    const shares = new BodyShares(MIB);
    const memory = shares.openStream('a');
    const record = `x,"${'y\n'.repeat(250_000)}"\n`;
    const limits = { maxLineBytes: record.length - 1, memory };
    expect((await read(`title,body\n${record.repeat(50)}`, limits)).posts).toHaveLength(50);
    expect(shares.heldBytes).toBe(0);
    const shorter = { maxLineBytes: record.length - 2 };
    await expect(read(`title,body\n${record}`, shorter)).rejects.toBeInstanceOf(BodyTooLarge);
    // The limit applies to an unclosed quote, too.
    await expect(read(`title,body\n"${'y\n'.repeat(MIB)}`, shorter)).rejects.toBeInstanceOf(BodyTooLarge);
  });

  it('ends after a hundred faults, and rejects 2 MiB of blank lines', async () => {
    const { posts, faults } = await read(`title,body\n${'x\n'.repeat(100)}a,b\n`);
    expect([posts.length, faults.length]).toEqual([0, 100]);
    expect((await read(`title,body\n${'\n'.repeat(2 * MIB)}`)).faults).toHaveLength(1);
  });
});
