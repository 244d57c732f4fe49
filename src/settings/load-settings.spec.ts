import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { loadSettings, npmScript } from './load-settings.js';
import { type Environment, SettingsError } from './settings.js';

describe('loadSettings', () => {
  let folder: string;

  beforeEach(() => {
    folder = temporaryFolder();
  });

  const writeDotEnv = (content: string | Buffer) => writeFileSync(join(folder, '.env'), content);
  const load = (environment: Environment = {}) => loadSettings(environment, folder);

  function faults(environment: Environment = {}): readonly string[] {
    try {
      load(environment);
    } catch (error) {
      if (error instanceof SettingsError) return error.faults;
      throw error;
    }
    return [];
  }

  it('reads .env, with quotes, comments, CRLF and a byte order mark', () => {
    writeDotEnv(
      '\uFEFFPORT=4000\r\n# a comment\r\nexport HOST = "::1" # another\r\nADMIN_PASSWORD=\'# secret, secret\'\r\n',
    );
    expect(load()).toMatchObject({ port: 4000, host: '::1', admin: { password: '# secret, secret' } });
  });

  it('lets the environment override .env', () => {
    writeDotEnv('PORT=4000\nHOST=::1\n');
    expect(load({ PORT: '5000' })).toMatchObject({ port: 5000, host: '::1' });
  });

  it('treats an empty variable of the environment as not set', () => {
    writeDotEnv('API_TOKENS=abcdefghijklmnop\n');
    expect(load({ API_TOKENS: '' }).apiTokens).toEqual(['abcdefghijklmnop']);
  });

  it('reports the faults of .env and of the environment together', () => {
    writeDotEnv('PORT=x\n');
    expect(faults({ LOG_LEVEL: 'x' })).toEqual([
      expect.stringMatching(/^PORT: /),
      expect.stringMatching(/^LOG_LEVEL: /),
    ]);
  });

  it('reports a named pipe as .env, without waiting for its writer', () => {
    execFileSync('mkfifo', [join(folder, '.env')]);
    expect(faults()).toEqual(['.env: must be a file']);
  });

  it.each([
    { encoding: 'UTF-16', content: Buffer.from('\uFEFFPORT=4000', 'utf16le') },
    { encoding: 'Latin-1', content: Buffer.from('ADMIN_PASSWORD=pässwörter', 'latin1') },
  ])('reports a .env in $encoding', ({ content }) => {
    writeDotEnv(content);
    expect(faults()).toEqual(['.env: must be UTF-8 text; save it in that encoding']);
  });

  it('uses the environment of this process by default', () => {
    const before = process.env['SHUTDOWN_TIMEOUT'];
    process.env['SHUTDOWN_TIMEOUT'] = '7';
    try {
      expect(loadSettings({}, folder).shutdownTimeoutMs).toBe(7_000);
    } finally {
      if (before === undefined) delete process.env['SHUTDOWN_TIMEOUT'];
      else process.env['SHUTDOWN_TIMEOUT'] = before;
    }
  });
});

describe('npmScript', () => {
  it.each([
    ['start', 'posts-service', 'start'],
    [undefined, undefined, undefined],
    [undefined, 'posts-service', 'npx'],
    [undefined, 'blog', 'start'],
  ])('is %s in the package %s with the script %s', (expected, npm_package_name, npm_lifecycle_event) => {
    expect(npmScript({ npm_package_name, npm_lifecycle_event })).toBe(expected);
  });
});
