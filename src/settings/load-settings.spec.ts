import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { loadLogging, loadSettings, npmScript } from './load-settings.js';
import type { Environment } from './settings.js';

describe('loadSettings', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  const writeDotEnv = (content: string | Buffer) => writeFileSync(join(folder, '.env'), content);
  const load = (environment: Environment = {}) => loadSettings(environment, folder);

  it('reads .env, with quotes, comments, CRLF and a byte order mark', () => {
    const lines = ['\uFEFFPORT=4000', 'export HOST = "::1" # b', "ADMIN_PASSWORD='# secret, secret'"];
    writeDotEnv(lines.join('\r\n'));
    expect(load()).toMatchObject({ port: 4000, host: '::1', admin: { password: '# secret, secret' } });
  });

  it('lets the environment override .env, except by an empty variable', () => {
    writeDotEnv('PORT=4000\nHOST=::1\n');
    expect(load({ PORT: '5000', HOST: '' })).toMatchObject({ port: 5000, host: '::1' });
  });

  it('reads secrets from files, without one line break at the end', () => {
    writeFileSync(join(folder, 'url'), 'sqlite:from-a-file.sqlite\r\n');
    writeFileSync(join(folder, 'password'), ' a long password \n');
    writeFileSync(join(folder, 'tokens'), 'abcdefghijklmnop');
    writeDotEnv(`DATABASE_URL_FILE=${join(folder, 'url')}\nADMIN_PASSWORD=\n`);
    const files = { ADMIN_PASSWORD_FILE: join(folder, 'password'), API_TOKENS_FILE: join(folder, 'tokens') };
    expect(load(files)).toMatchObject({
      database: { path: 'from-a-file.sqlite' },
      admin: { password: ' a long password ' },
      apiTokens: ['abcdefghijklmnop'],
    });
  });

  it('reports all faults of these files, and those of the other settings', () => {
    writeFileSync(join(folder, 'empty'), '\n');
    writeFileSync(join(folder, 'tokens'), 's3cret');
    writeDotEnv('ADMIN_PASSWORD=beside the file\n');
    const environment = {
      DATABASE_URL_FILE: join(folder, 'empty'),
      ADMIN_PASSWORD_FILE: join(folder, 'tokens'),
      API_TOKENS_FILE: join(folder, 'tokens'),
      PORT: 'x',
    };
    expect(() => load(environment)).toThrow(
      /^The settings cannot be used:\n {2}DATABASE_URL_FILE: must name a file that is not empty\n {2}ADMIN_PASSWORD_FILE: must not be set beside ADMIN_PASSWORD\n {2}PORT: [^\n]*\n {2}API_TOKENS: must have at least 16 [^\n]*$/,
    );
    const missing = { DATABASE_URL_FILE: join(folder, 's3cret') };
    expect(() => load(missing)).toThrow(
      / DATABASE_URL_FILE: must name a UTF-8 file that this process can read$/,
    );
  });

  it.each([
    ['API_TOKENS: abcdefghijklmnop\nPORT=4000\n', 'API_TOKENS'],
    ['PORT=4000\r\n  export DATABASE_URL sqlite:other.sqlite\r\n', 'DATABASE_URL'],
    ['API_TOKENS_FILE : tokens', 'API_TOKENS_FILE'],
  ])('reports a setting of .env without =, which would be ignored: %j', (text, name) => {
    writeDotEnv(text);
    expect(() => load()).toThrow(`The settings cannot be used:\n  .env: must have = after ${name}`);
  });

  it('takes spaces around the =, and other lines without one', () => {
    writeDotEnv(
      '# PORT: 1\nPORT = 4000\nHOST\nAPI_TOKENS_OLD: x\nnote: y\nLOG_LEVEL: x\nLOG_LEVEL=warn\nnote\n\n  export BASE_PATH=b\n',
    );
    expect(load()).toMatchObject({ basePath: '/b', port: 4000, host: '127.0.0.1', logLevel: 'warn' });
  });

  it('reports a .env that is not UTF-8', () => {
    writeDotEnv(Buffer.from('ADMIN_PASSWORD=pässwörter', 'latin1'));
    expect(() => load()).toThrow('.env: must be a UTF-8 text');
  });
});

describe('loadLogging', () => {
  it('has LOG_LEVEL and LOG_FORMAT as far as they can be read, whatever else is wrong', () => {
    const folder = temporaryFolder();
    const byDefault = { logLevel: 'info', logFormat: 'json' };
    expect(loadLogging({ PORT: 'x' }, folder)).toEqual(byDefault);
    writeFileSync(join(folder, '.env'), 'LOG_FORMAT=pretty\nLOG_LEVEL=loud\n');
    expect(loadLogging({}, folder)).toEqual({ logLevel: 'info', logFormat: 'pretty' });
    expect(loadLogging({ LOG_LEVEL: 'warn' }, folder)).toEqual({ logLevel: 'warn', logFormat: 'pretty' });
    writeFileSync(join(folder, '.env'), Buffer.from('PASSWORD=ä', 'latin1'));
    expect(loadLogging({ LOG_FORMAT: 'xml' }, folder)).toEqual(byDefault);
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
