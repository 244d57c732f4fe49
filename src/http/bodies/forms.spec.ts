import { InvalidRequest } from '../../problem-details/problems.js';
import { atOnce, PIECE_LENGTH } from '../../text/steps.js';
import { stepsOf } from '../../../test/support/steps.js';
import { type Form, MAX_FORM_FIELDS, readMultipartForm, readUrlencodedForm } from './forms.js';
import { readTexts } from './field-texts.js';
import { IsIntegerBetween, Optional } from '../../input/validation.js';

class ThingDto {
  @Optional()
  @IsIntegerBetween(1, 9)
  id?: number;
}

/** @throws InvalidRequest */
function valuesOf({ texts }: Form): Readonly<Record<string, unknown>> {
  const { values, faults } = readTexts(texts, ThingDto, 'field');
  if (faults.length > 0) throw new InvalidRequest(faults);
  return values;
}

/** The codes and places of the faults: `malformed_form /title`. */
async function faultsOf(decode: () => unknown): Promise<string[]> {
  try {
    await decode();
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return error.errors!.map((fault) => `${fault.code} ${'pointer' in fault ? fault.pointer : ''}`);
  }
  throw new Error('it was taken');
}

const urlencoded = (body: string | Buffer) => valuesOf(atOnce(readUrlencodedForm(Buffer.from(body))));
const multipart = async (body: string | Buffer, type = 'multipart/form-data; boundary=b') =>
  valuesOf(await readMultipartForm(Buffer.from(body), type, ''));
const DISPOSITION = 'Content-Disposition: form-data';
const part = (name: string, value: string, header = '') =>
  `${DISPOSITION}; name="${name}"\r\n${header}\r\n${value}`;
const parts = (...all: string[]) => `${all.map((text) => `--b\r\n${text}\r\n`).join('')}--b--\r\n`;

type Fields = [string, string][];

/** Encode fields in one of the formats, and decode them. */
const FORMATS: [string, (fields: Fields) => object | Promise<object>][] = [
  ['readUrlencodedForm', (fields) => urlencoded(new URLSearchParams(fields).toString())],
  ['readMultipartForm', (fields) => multipart(parts(...fields.map((each) => part(...each))))],
];

describe.each(FORMATS)('%s', (_, decode) => {
  it.each<Record<string, string>>([
    {},
    { tïtle: 'é😀\u200f' },
    { body: ' \t\r\n\n\r x \r\n' },
    { body: '\ufeffx', empty: '' },
    { title: '7' },
    ...['07', '7.0', '7 ', '1e3', '٧', '7\n'].map((id) => ({ id })),
  ])('reads texts: %j', async (fields) => {
    expect(await decode(Object.entries(fields))).toEqual(fields);
  });

  it('reads canonical decimals as numbers, and __proto__ as an ordinary name', async () => {
    const read = await decode(Object.entries({ id: '9007199254740991', ['__proto__']: 'x' }));
    expect(Object.entries(read)).toEqual(Object.entries({ id: 9_007_199_254_740_991, ['__proto__']: 'x' }));
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it('reports each repeated field once, even when one of its values is empty', async () => {
    const names = ['a/b~c', 'id', 'a/b~c', 'a/b~c', 'id'];
    const fields = names.map((name, index): [string, string] => [name, index === 1 ? '' : '7']);
    expect(await faultsOf(() => decode(fields))).toEqual(['repeated /a~1b~0c', 'repeated /id']);
  });

  it('reads 100 fields and no more', async () => {
    const fields = Array.from({ length: MAX_FORM_FIELDS }, (__, n): [string, string] => [`f${n}`, '']);
    expect(Object.keys(await decode(fields))).toHaveLength(MAX_FORM_FIELDS);
    expect(await faultsOf(() => decode([...fields, ['id', '']]))).toEqual(['too_many ']);
  });
});

describe('readUrlencodedForm', () => {
  it.each(['x', '+', '%41', '%C3%A9', '%e2%82%ac', '%F0%9F%98%80', 'é', '😀', '%2B%F0%9F%98%80x'])(
    'reads a long text of %j in steps, as the URL standard does',
    (unit) => {
      for (const before of ['', 'x', 'xx', 'xxx']) {
        const sent = `a=${before}${unit.repeat(300_000 / unit.length)}&b=%2B`;
        const { steps, result } = stepsOf(readUrlencodedForm(Buffer.from(sent)));
        const expected = new URLSearchParams(sent);
        expect(result.texts['a'] === expected.get('a')).toBe(true);
        expect(result.texts['b']).toBe('+');
        expect(steps).toBeGreaterThan(300_000 / PIECE_LENGTH);
      }
    },
  );

  it.each(['%E9', '%', '%4', '%zz', '%ED%A0%80', '%C3', '%80%80%80%80%80%80'])(
    'refuses a long text with %j in it',
    async (fault) => {
      for (const length of [65_530, 65_531, 65_532, 65_533, 65_534, 65_535, 65_536])
        expect(
          await faultsOf(() => urlencoded(`a=${'x'.repeat(length)}${fault}${'x'.repeat(100_000)}`)),
        ).toEqual(['not_utf8 /a']);
    },
  );

  it.each([
    ['a=1&&b=2&', { a: '1', b: '2' }],
    ['a', { a: '' }],
    ['=x', { '': 'x' }],
    ['a+b=c+d%20e%2Bf', { 'a b': 'c d e+f' }],
    ['\ufeffa=1', { a: '1' }],
  ])('reads %j', (body, fields) => {
    expect(urlencoded(body)).toEqual(fields);
  });

  it.each([
    ['a=100%', ['not_utf8 /a']],
    ['%E9=1', ['not_utf8 ']],
    ['a=%&b=1&%E9=1&c=%', ['not_utf8 /a', 'not_utf8 ', 'not_utf8 /c']],
    [Buffer.from('a=é', 'latin1'), ['not_utf8 ']],
    ['{"title": "What curl sends without a Content-Type", "body": "a&b=c"}', ['malformed_form ']],
    [' \n[{"title": 1}]', ['malformed_form ']],
  ])('refuses %j', async (body, faults) => {
    expect(await faultsOf(() => urlencoded(body))).toEqual(faults);
  });
});

describe('readMultipartForm', () => {
  it.each(['x', '\r\n--', '\r\n--en', 'é😀', '-'])('reads a long text of %j', async (unit) => {
    const text = `x${unit.repeat(300_000 / unit.length)}`;
    const sent = `--end\r\n${part('a', text)}\r\n--end\r\n${part('b', text)}\r\n--end--\r\n`;
    const read = await multipart(sent, 'multipart/form-data; boundary=end');
    expect(Object.values(read).map((each) => each === text)).toEqual([true, true]);
  });

  it.each<[string, string, object]>([
    ['no text before and after the parts', `hi\r\n${parts(part('a', '1'))}hi`, { a: '1' }],
    ['a boundary within a line', parts(part('a', 'x--b\r\nx\n--b\r--b')), { a: 'x--b\r\nx\n--b\r--b' }],
    ['text/plain', parts(part('a', 'é', 'Content-Type: text/plain; charset="Utf-8"\r\n')), { a: 'é' }],
    ['capitals', parts('CONTENT-DISPOSITION:FORM-DATA;NAME=a\r\n\r\n1'), { a: '1' }],
    ['a name with quotes', parts(part('a\\"b\\\\', '1')), { 'a"b\\': '1' }],
    ['an escaped name', parts(part('%22%0D%0A%41', '2')), { '"\r\n%41': '2' }],
  ])('reads %s', async (_, body, fields) => {
    expect(await multipart(body)).toEqual(fields);
  });

  it.each<[string, string | Buffer, string]>([
    ['a body without the last boundary', `--b\r\n${part('a', '1')}\r\n`, 'malformed_form '],
    ['a body cut off in the last boundary', parts(part('a', '1')).slice(0, -3), 'malformed_form '],
    ['line feeds only', `--b\n${DISPOSITION}; name=a\n\n1\n--b--`, 'malformed_form '],
    ['a part with a long header', parts(part('a', '1', `X: ${'x'.repeat(16_384)}\r\n`)), 'malformed_form '],
    ['a part without a name', parts(`${DISPOSITION}\r\n\r\n1`), 'malformed_form '],
    ['an attachment', parts('Content-Disposition: attachment; name=a\r\n\r\n1'), 'malformed_form '],
    ['a file', parts(`${DISPOSITION}; name=f; filename="x"\r\n\r\n1`), 'file_not_allowed /f'],
    ['an encoded file name', parts(`${DISPOSITION}; name=f; filename*=x\r\n\r\n1`), 'malformed_form '],
    ['a part without a header', parts(part('a', '1'), '\r\n1'), 'malformed_form '],
    ['white space after a boundary', `--b \t\r\n${DISPOSITION}; name=a\r\n\r\n1\r\n--b--`, 'malformed_form '],
    [
      'an unknown charset',
      parts(part('a', '1', 'Content-Type: text/plain; charset=x\r\n')),
      'malformed_form /a',
    ],
    ['bytes that are not UTF-8', Buffer.from(parts(part('a', 'é')), 'latin1'), 'not_utf8 '],
  ])('refuses %s', async (_, body, fault) => {
    expect(await faultsOf(() => multipart(body))).toEqual([fault]);
  });

  it('refuses a file that is cut off, and does not end the process', async () => {
    const cut = `--b\r\n${DISPOSITION}; name=f; filename="x"\r\n\r\n1`;
    expect(await faultsOf(() => multipart(cut))).toEqual(['file_not_allowed /f', 'malformed_form ']);
  });

  it('reports the faults of all parts', async () => {
    const encoded = part('a', 'SGk=', 'Content-Transfer-Encoding: base64\r\n');
    const body = parts(encoded, `${DISPOSITION}; name=f; filename="x"\r\n\r\n1`, `${DISPOSITION}\r\n\r\n1`);
    const faults = await faultsOf(() => multipart(body));
    expect(faults.toSorted()).toEqual(['file_not_allowed /f', 'malformed_form ', 'malformed_form /a']);
  });

  it.each(['multipart/form-data', 'multipart/form-data; boundary='])('needs a boundary: %s', async (type) => {
    expect(await faultsOf(() => multipart(parts(), type))).toEqual(['malformed ']);
  });

  it('takes a boundary of the longest length (RFC 2046), and none beyond', async () => {
    const withBoundary = (boundary: string) =>
      multipart(
        `--${boundary}\r\n${part('a', '1')}\r\n--${boundary}--\r\n`,
        `multipart/form-data; boundary=${boundary}`,
      );
    expect(await withBoundary('b'.repeat(70))).toEqual({ a: '1' });
    expect(await faultsOf(() => withBoundary('b'.repeat(71)))).toEqual(['malformed ']);
  });

  it.each([
    ['7bit', []],
    ['Binary', []],
    ['base64', ['malformed_form /a']],
    ['quoted-printable', ['malformed_form /a']],
  ])('reads a part only as it is: Content-Transfer-Encoding: %s', async (encoding, faults) => {
    const body = parts(part('a', 'SGk=', `Content-Transfer-Encoding: ${encoding}\r\n`));
    const outcome = faults.length > 0 ? await faultsOf(() => multipart(body)) : await multipart(body);
    expect(outcome).toEqual(faults.length > 0 ? faults : { a: 'SGk=' });
  });
});
