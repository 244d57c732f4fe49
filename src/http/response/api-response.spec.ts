import { jest } from '@jest/globals';
import type * as Zlib from 'node:zlib';

const real = await import('node:zlib');
const brotliCompress =
  jest.fn<(body: Zlib.InputType, options: object, done: Zlib.CompressCallback) => void>();
brotliCompress.mockImplementation(real.brotliCompress);
jest.unstable_mockModule('node:zlib', () => ({ ...real, brotliCompress }));
const { ApiResponse } = await import('./api-response.js');

describe('ApiResponse', () => {
  it('is compressed once for all who wait, and again after a failure', async () => {
    const response = new ApiResponse({ body: 'text' });
    const fault = new Error('There is no memory.');
    brotliCompress.mockImplementationOnce((_body, _options, done) => done(fault, Buffer.alloc(0)));
    const failed = [response.compress('br'), response.compress('br')];
    for (const each of failed) await expect(each).rejects.toBe(fault);
    expect(brotliCompress).toHaveBeenCalledTimes(1);
    const [first, second] = await Promise.all([response.compress('br'), response.compress('br')]);
    expect(real.brotliDecompressSync(first).toString()).toBe('text');
    expect(second).toBe(first);
    expect(brotliCompress).toHaveBeenCalledTimes(2);
  });
});
