import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CommandRun, type Outcome, runCommand } from '../support/command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();

/** Runs the command on `data/posts.sqlite` of the folder. */
function run(parameters: readonly string[], rest: Partial<CommandRun> = {}): Promise<Outcome> {
  return runCommand(parameters, { folder, ...rest });
}

const LINES = Array.from({ length: 600 }, (_, index) =>
  JSON.stringify({
    title: `Post ${index}, "quoted"`,
    pub_date: '2026-01-01T00:00:00.000Z',
    body: `line one\nline two ${index}`,
  }),
);
const FAULTY = ['{"title":"a","body":"b"}', '', '{"title":"","body":1}', 'no JSON'].join('\n');
const FAULTS = `line 3, /title: The title must not be empty or only white space.
line 3, /body: The value must be a string.
line 4: The body is not well-formed JSON.
Nothing was stored.
`;

describe('npm run posts, while no service runs', () => {
  it('imports NDJSON, and rebuilds the search index', async () => {
    await writeFile(join(folder, 'in.ndjson'), LINES.join('\n'));
    const stdout = '600 posts were stored, with ids from 1 to 600.\n';
    expect(await run(['import', 'in.ndjson'])).toEqual({ status: 0, stdout, stderr: '' });
    const rebuilt = 'The search index was rebuilt.\n';
    expect(await run(['reindex'])).toEqual({ status: 0, stdout: rebuilt, stderr: '' });
  });

  it('imports CSV, in columns of any order', async () => {
    await writeFile(join(folder, 'in.csv'), 'body,title\r\n"one\ntwo","a, ""b"" "\r\n,c\r\n');
    const stdout = '2 posts were stored, with ids from 601 to 602.\n';
    expect(await run(['import', 'in.csv'])).toEqual({ status: 0, stdout, stderr: '' });
    expect(await run(['export', 'all.csv'])).toMatchObject({ status: 0, stderr: '' });
    expect(await readFile(join(folder, 'all.csv'), 'utf8')).toMatch(
      /\r\n601,"a, ""b"" ",[^,]+,"one\ntwo"\r\n602,c,[^,]+,\r\n$/,
    );
  });

  it('exports to a new file, whose name tells the format', async () => {
    expect(await run(['export', 'out.ndjson'])).toMatchObject({ status: 0, stderr: '' });
    const written = await readFile(join(folder, 'out.ndjson'), 'utf8');
    expect((await run(['export', '-'])).stdout).toBe(written);
    const exists = `${join(folder, 'out.ndjson')} exists already; an export overwrites nothing.\n`;
    expect(await run(['export', 'out.ndjson'])).toEqual({ status: 1, stdout: '', stderr: exists });
    const stderr = 'The file name must end in .ndjson, .jsonl or .csv.\n';
    expect(await run(['export', 'posts.json'])).toEqual({ status: 1, stdout: '', stderr });
    expect((await readdir(folder)).filter((name) => name.startsWith('out'))).toHaveLength(1);
  });

  it('says in a line that the file of an import is missing', async () => {
    const stderr = 'missing.csv: no such file or directory.\n';
    expect(await run(['import', 'missing.csv'])).toEqual({ status: 1, stdout: '', stderr });
  });

  it('stores nothing from a faulty or interrupted import', async () => {
    expect(await run(['import', '-'], { stdin: FAULTY })).toEqual({ status: 1, stdout: '', stderr: FAULTS });
    const stdin = `${LINES.join('\n')}\n`.repeat(40);
    const stopped = await run(['import', '-'], { stdin, interrupts: true });
    // The signal has ended the process.
    expect(stopped).toEqual({ status: null, stdout: '', stderr: '' });
    const { status, stdout } = await run(['export', '-']);
    const withoutIds = stdout.replaceAll(/"id":\d+,|\n$/g, '').split('\n');
    expect([status, withoutIds.slice(0, LINES.length)]).toEqual([0, LINES]);
    expect(withoutIds).toHaveLength(LINES.length + 2);
  });
});
