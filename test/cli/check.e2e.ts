import { type Outcome, runCommand } from '../support/command.js';
import { freshDatabase, type FreshDatabase } from '../support/database.js';

let database: FreshDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.remove());

function run(...parameters: string[]): Promise<Outcome> {
  return runCommand(parameters, { folder: import.meta.dirname, environment: { DATABASE_URL: database.url } });
}

describe('the command check', () => {
  it('reports a sound database, and names each inconsistency, which reindex corrects', async () => {
    const SOUND = { status: 0, stdout: 'The database is sound.\n', stderr: '' };
    expect((await run('seed', '20')).status).toBe(0);
    expect(await run('check')).toEqual(SOUND);

    const id = globalThis.TEST_DATABASE === 'postgres' ? 'post_id' : 'rowid';
    await database.execute(`DELETE FROM posts_search WHERE ${id} = 2`);
    await database.execute(`UPDATE posts SET body = 'Änderung 編集 by another program' WHERE id = 7`);
    await database.execute(`UPDATE posts SET title_key = 'other' WHERE id = 9`);
    await database.execute('UPDATE posts_counters SET posts = posts + 3 WHERE id = 0');
    const wrong = `The search index or the order of titles is wrong for 3 posts: run reindex.
The counters of posts are wrong by 3.\n`;
    expect(await run('check')).toEqual({ status: 1, stdout: '', stderr: wrong });
    expect((await run('reindex')).status).toBe(0);
    await database.execute('UPDATE posts_counters SET posts = posts - 3 WHERE id = 0');
    expect(await run('check')).toEqual(SOUND);

    // As after a move.
    await database.execute(`UPDATE posts_state SET search_version = ''`);
    await database.execute('DELETE FROM posts_search');
    const unindexed = 'It has no current search index; the service makes it when it starts.\n';
    expect(await run('check')).toEqual({ ...SOUND, stdout: SOUND.stdout + unindexed });

    await database.execute('CREATE INDEX others ON posts (body)');
    const foreign = expect.stringMatching(/the index others does not belong to the service/);
    expect(await run('check')).toEqual({ status: 1, stdout: '', stderr: foreign });
  });
});

describe('the command compact', () => {
  it('makes the database smaller', async () => {
    expect((await run('seed', '3000')).status).toBe(0);
    await database.execute('DELETE FROM posts WHERE id > 10');
    const { stdout, stderr } = await run('compact');
    expect(stderr).toBe('');
    const [, after, before] = /^Size of the database: ([\d.]+) MiB, before ([\d.]+) MiB\.\n$/.exec(stdout)!;
    expect(Number(after)).toBeLessThan(Number(before));
  });
});
