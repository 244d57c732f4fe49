import { fold } from '../posts/folded-text.js';
import { limit, partsOf, piecesOf, termsOf } from './fold.js';
import { matches, parseSearch } from './search-terms.js';

describe('fold', () => {
  it.each([
    ['Crème Brûlée', 'creme brulee'],
    ['Straße STRASSE', 'strasse strasse'],
    ['Łódź Øre Đà ħ ŧ', 'lodz ore da h t'],
    ['Ёлка ЙОД', 'елка иод'],
    ['İstanbul ISTANBUL ıstanbul', 'istanbul istanbul istanbul'],
    ['مُحَمَّد ســـلام أحمد', 'محمد سلام احمد'],
    ['ﬁne ① Ａｂｃ ｶﾞ K', 'fine 1 abc ガ k'],
    ['दान दिन হাত हिन्दी', 'दान दिन হাত हिन्दी'],
    ['กา กิ', 'กา กิ'],
    ['が か ぱ', 'が か ぱ'],
    ['שָׁלוֹם', 'שלום'],
    ['soft\u00adhyphen zero\u200dwidth', 'softhyphen zerowidth'],
    ['👍🏽 ❤️', '👍 ❤'],
  ])('of %j is %j', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it('is idempotent for all scripts', () => {
    const faulty: string[] = [];
    // Many characters at once, because the calls take longer than the characters.
    for (let first = 0; first < 0x20000; first += 256) {
      if (first >= 0xd800 && first <= 0xdfff) continue;
      const codes = Array.from({ length: 256 }, (_, index) => first + index);
      const text = codes.map((code) => `a${String.fromCodePoint(code)}a`).join(' ');
      const folded = fold(text);
      if (fold(folded) !== folded || termsOf(folded).join() !== termsOf(text).join())
        faulty.push(first.toString(16));
    }
    expect(faulty).toEqual([]);
  });
});

describe('termsOf', () => {
  it.each([
    ['Hello, world! snake_case 100%', ['hello', 'world', 'snake', 'case', '100']],
    ["don't e-mail", ['don', 't', 'e', 'mail']],
    ['東京都に行く', ['東京都に', '京都に行', '都に行く', 'に行く', '行く', 'く']],
    ['東京tower2', ['東京', '京', 'tower2']],
    ['🎉🎉', ['🎉🎉', '🎉']],
    ['दान, दिन', ['दान', 'दिन']],
    ['…—!?。、「」', []],
  ])('of %j are %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it('returns the same terms on its fast path for ASCII', () => {
    const ascii = String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code));
    const pieces = piecesOf(`${ascii}aB1 ${ascii}`).map(({ text }) => text);
    expect(termsOf(`${ascii}aB1 ${ascii}`)).toEqual(pieces);
  });

  it('handles a text of one word that is as long as a body can be', () => {
    for (const text of ['x'.repeat(17_000_000), 'é'.repeat(2_000_000)])
      expect(new Set(termsOf(text)).size).toBe(1);
  });

  it.each(['\u0301\u0316', '\u0345\u0301\u0316\u0334', '\uff9e\u0316', '\u093c\u094d', '\u064b\u0651'])(
    'takes a time that grows with the length of a run of marks, and no faster: %j',
    (marks) => {
      // Processor time, because the machine may be busy.
      const timeOf = (length: number): number => {
        const text = `a${marks.repeat(length)} b`;
        const times = [1, 2, 3].map(() => {
          const before = process.cpuUsage();
          for (let run = 0; run < 4; run += 1) fold(text);
          return process.cpuUsage(before).user / 1_000;
        });
        return Math.min(...times);
      };
      timeOf(1_000);
      // Ten times as long: it would be a hundred times as slow.
      expect(timeOf(16_000)).toBeLessThan(40 * Math.max(timeOf(1_600), 1));
    },
  );

  it('cuts terms to 255 characters', () => {
    expect(new Set(termsOf('x'.repeat(100_000)))).toEqual(new Set(['x'.repeat(255)]));
    expect(limit('𝒳'.repeat(300))).toBe('𝒳'.repeat(255));
  });
});

// test/search/search.e2e.ts has which searches match.
describe('matches', () => {
  it('gives the same result on its fast path for ASCII', () => {
    const long = 'y'.repeat(300);
    const texts = [...',a,ab,A b,xab ab,ab_c,ab1,1ab,aB-C,a b ab c abc'.split(','), `${long}z a`, long];
    const searches = ['a', 'ab', 'b a', 'ab c', 'a b ', 'ab x', 'abc', '1', 'é', 'ab é', long, `${long} a`];
    for (const text of texts) {
      for (const search of searches.map((words) => parseSearch(words)!)) {
        // A letter beyond ASCII, in no search, disables the fast path.
        const byTerms = matches(search, text, 'ω');
        expect([text, search, matches(search, text, '')]).toEqual([text, search, byTerms]);
        const inBody = matches(search, 'b', `${text} ω`);
        expect([text, search, matches(search, 'b', text)]).toEqual([text, search, inBody]);
      }
    }
  });
});

describe('termsOf a long text', () => {
  /** The terms of the text as one part. */
  function termsAtOnce(text: string): Set<string> {
    const terms = new Set<string>();
    for (const { text: piece, isRun } of piecesOf(text)) {
      const chars = Array.from(piece);
      if (!isRun) terms.add(limit(piece));
      else for (const at of chars.keys()) terms.add(chars.slice(at, at + 4).join(''));
    }
    return terms;
  }

  /** A text that is the same in every run. */
  function textOf(alphabet: readonly string[], length: number): string {
    let text = '';
    for (let seed = 1; text.length < length; seed = (seed * 16_807) % 2_147_483_647)
      text += alphabet[seed % alphabet.length];
    return text;
  }

  const han = Array.from({ length: 900 }, (_, index) => String.fromCodePoint(0x4e00 + 7 * index));

  it.each([
    ['words', ['été ', 'naïve-', 'word', ' ', 'ΟΔΟΣ', ', ', '\u0301', '。', 'Straße']],
    ['a mixture', ['日', '本', '語', 'かな', 'é', 'x', '1', ' ', '한', '👍🏽', '\u200d', 'ไทย', '、', 'ﬁ']],
    ['ASCII', ['word', ' ', 'x', '1', "'", '_', '\n']],
  ])('misses no term when the text is split: %s', (_, alphabet) => {
    const text = textOf(alphabet, 60_000);
    const atOnce = termsAtOnce(text);
    const terms = new Set(termsOf(text));
    expect([...atOnce].filter((term) => !terms.has(term))).toEqual([]);
  });

  it('splits it into short parts, even within one word', () => {
    const texts = [han.join('').repeat(100), 'é'.repeat(600_000), `x${'😀'.repeat(20_000)}`];
    for (const text of texts) {
      const parts = [...partsOf(text)];
      expect(parts.length).toBeGreaterThan(2);
      expect(parts.every((part) => part.isWellFormed())).toBe(true);
      expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(16_385);
    }
  });
});
