import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ApiResponse, contentEntityTag } from './api-response.js';
import { type Head, SECURITY_FIELDS } from './head.js';

const parts = { status: 200, headers: { 'Content-Type': 'text/plain', Link: '<x>' }, entityTag: '7-1' };

/** The fields of a head, without those that every response has. */
const fieldsOf = ({ fields: head }: Head) => {
  const fields = Object.fromEntries(
    head.flatMap((name, index) => (index % 2 === 0 ? [[name, head[index + 1]]] : [])),
  );
  const common = { 'X-Request-Id': '', ...SECURITY_FIELDS };
  expect(fields).toMatchObject(common);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in common)));
};

describe('ApiResponse', () => {
  it('is sent unchanged in identity coding, with its length in bytes', async () => {
    const encoded = await new ApiResponse({ ...parts, body: 'é' }).encode('identity');
    expect(fieldsOf(encoded.head)).toEqual({ ...parts.headers, ETag: '"7-1"', 'Content-Length': '2' });
    expect(encoded.body).toBe('é');
  });

  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('has a different entity tag in %s', async (coding, decompress) => {
    for (const body of ['é'.repeat(1_000), Buffer.from('é'.repeat(1_000))]) {
      const encoded = await new ApiResponse({ ...parts, body }).encode(coding);
      expect(fieldsOf(encoded.head)).toEqual({
        ...parts.headers,
        ETag: `"7-1-${coding}"`,
        'Content-Encoding': coding,
        'Content-Length': String(encoded.body!.length),
      });
      expect(decompress(encoded.body as Buffer).toString()).toBe('é'.repeat(1_000));
    }
  });

  it('omits the fields of the body in a 304', async () => {
    const { notModified } = await new ApiResponse({ ...parts, body: 'a' }).encode('gzip');
    expect(fieldsOf(notModified)).toEqual({ Link: '<x>', ETag: '"7-1-gzip"' });
  });

  it('is compressed once for each coding', async () => {
    const response = new ApiResponse({ ...parts, body: 'a'.repeat(2_000) });
    const first = await response.encode('br');
    expect(response.encode('br')).toBe(first);
    expect(await response.encode('gzip')).not.toBe(first);
  });

  it('has no length and no entity tag without a body', async () => {
    const { head, body, etag } = await new ApiResponse({ status: 204 }).encode('identity');
    expect([fieldsOf(head), body, etag]).toEqual([{}, undefined, undefined]);
  });

  it('has the length 0 for an empty body', async () => {
    const { head } = await new ApiResponse({ status: 308, body: '' }).encode('identity');
    expect(fieldsOf(head)).toEqual({ 'Content-Length': '0' });
  });
});

describe('contentEntityTag', () => {
  it('is the same for the same content, and needs no escapes in quotes', () => {
    expect(contentEntityTag('a')).toBe(contentEntityTag(Buffer.from('a')));
    expect(contentEntityTag('a')).not.toBe(contentEntityTag('b'));
    expect(contentEntityTag('é😀')).toMatch(/^[\w-]{27}$/);
  });
});
