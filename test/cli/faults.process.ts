import { join } from 'node:path';
import { executeOn } from '../support/sqlite-file.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let databasePath: string;
beforeEach(() => {
  databasePath = join(temporaryFolder(), 'posts.sqlite');
});

const recordsOf = ({ stdout }: ServiceProcess) =>
  stdout
    .trimEnd()
    .split('\n')
    .map(
      (line) => JSON.parse(line) as { level: string; msg: string; err?: { message: string; stack: string } },
    );

describe('the service as npm start runs it', () => {
  it('names the lines of src/ in the stack of an error', async () => {
    const service = await ServiceProcess.start({ databasePath });
    await executeOn(databasePath, 'ALTER TABLE posts RENAME COLUMN body TO text');
    expect((await service.get('/posts/')).status).toBe(500);
    expect(await service.stop()).toBe(0);
    const { err } = recordsOf(service).find(({ level }) => level === 'error')!;
    expect(err!.stack).toMatch(/src\/posts\/[\w./-]+\.ts:\d+:\d+/);
    expect(err!.stack).not.toMatch(/service\.cjs:\d+:\d+\)?\n *at [\w.]*Posts/);
  });

  it('logs a rejection that nothing handles, and exits with 1', async () => {
    const code = `process.on('SIGUSR2', () => void Promise.reject(new Error('lost')))`;
    const NODE_OPTIONS = `--import="data:text/javascript,${encodeURIComponent(code)}"`;
    const service = await ServiceProcess.start({ databasePath, environment: { NODE_OPTIONS } });
    service.kill('SIGUSR2');
    expect(await service.exited()).toBe(1);
    const last = recordsOf(service).at(-1)!;
    expect(last).toMatchObject({ level: 'fatal', err: { message: 'lost' } });
  });
});
