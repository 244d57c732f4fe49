import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Outcome, runCommand } from '../support/command.js';
import { startService } from '../support/service.js';

const TOKEN = 'a-token-for-the-tests';

const folder = await mkdtemp(join(tmpdir(), 'posts-commands-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const service = await startService({ API_TOKENS: TOKEN });

function run(parameters: readonly string[], token = TOKEN): Promise<Outcome> {
  const environment = { DATABASE_URL: service.database.url, API_TOKENS: token };
  return runCommand(parameters, { folder, environment });
}

const POSTS = [
  '{"title":"a, \\"b\\"","body":"one\\ntwo","pub_date":"2026-01-01T00:00:00Z"}',
  '{"title":"😀","body":""}',
].join('\n');

describe('npm run posts, over the API of a service', () => {
  it('imports and exports', async () => {
    await writeFile(join(folder, 'in.ndjson'), POSTS);
    const url = ['--url', service.origin];
    expect(await run(['import', 'in.ndjson', ...url])).toEqual({
      status: 0,
      stdout: '2 posts were stored, with ids from 1 to 2.\n',
      stderr: '',
    });
    for (const [file, type] of [
      ['out.csv', 'text/csv'],
      ['out.ndjson', 'application/x-ndjson'],
    ] as const) {
      expect(await run(['export', file, ...url])).toMatchObject({ status: 0, stderr: '' });
      const streamed = await service.get('/posts/?ordering=id', { Accept: type });
      expect(await readFile(join(folder, file), 'utf8')).toBe(streamed.text);
    }
    expect(await run(['export', 'out.csv', ...url])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/out\.csv exists already; an export overwrites nothing\.\n$/),
    });
    expect((await readdir(folder)).toSorted()).toEqual(['in.ndjson', 'out.csv', 'out.ndjson']);
  });

  it('reports why an import is refused', async () => {
    await writeFile(join(folder, 'faulty.ndjson'), '{"title":"a","body":"b"}\n{"title":"a"}');
    const faulty = ['import', 'faulty.ndjson', '--url', service.origin];
    expect(await run(faulty)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'line 2, /body: The field is required.\nNothing was stored.\n',
    });
    expect(await run(faulty, 'another-token-for-tests')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^The service responded with 401: .* The first of API_TOKENS is sent\.\n$/,
      ),
    });
    expect((await service.get('/posts/?fields=id')).json()).toHaveLength(2);
  });

  it('reports that the database is in use, or that no service runs', async () => {
    const [inUse, notThere] = await Promise.all([
      run(['import', 'in.ndjson']),
      run(['import', 'in.ndjson', '--url', 'http://127.0.0.1:4']),
    ]);
    expect(inUse).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Use its API: --url and its address'),
    });
    expect(notThere).toEqual({ status: 1, stdout: '', stderr: 'There is no service at 127.0.0.1:4.\n' });
  });

  it('prints its help, and explains usage errors', async () => {
    const [help, twoFiles, noFormat, badUrl] = await Promise.all([
      run(['help']),
      run(['import', 'a', 'b']),
      run(['export', 'posts.json']),
      run(['export', '-', '--url', 'ftp://x']),
    ]);
    expect(help).toMatchObject({ status: 0, stderr: '' });
    expect(help.stdout).toMatch(/^Usage:\n(.|\n)*posts-service import FILE(.|\n)*export FILE(.|\n)*reindex/);
    for (const { status, stdout, stderr } of [twoFiles, noFormat, badUrl]) {
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toContain('Usage:');
    }
  });
});
