import { CommandLineError, readCommandLine } from './command-line.js';

describe('the command line', () => {
  it('changes no settings without options', () => {
    expect(readCommandLine([])).toEqual({ asks: undefined, environment: {} });
  });

  it('reads options as settings', () => {
    const args = ['--port', '4000', '--host=::1', '--database', 'postgres://posts@db/posts'];
    expect(readCommandLine(args).environment).toEqual({
      PORT: '4000',
      HOST: '::1',
      DATABASE_URL: 'postgres://posts@db/posts',
    });
  });

  it.each([
    ['my.sqlite', 'sqlite:my.sqlite'],
    [String.raw`C:\posts.sqlite`, String.raw`sqlite:C:\posts.sqlite`],
    ['sqlite:my.sqlite', 'sqlite:my.sqlite'],
  ])('reads %s as a SQLite database', (database, url) => {
    expect(readCommandLine(['-d', database]).environment).toEqual({ DATABASE_URL: url });
  });

  it.each([
    ['--help', 'help'],
    ['-h', 'help'],
    ['--version', 'version'],
  ])('recognises %s', (option, asks) => {
    expect(readCommandLine([option]).asks).toBe(asks);
  });

  it.each([['--prot'], ['--port'], ['4000']])('rejects %s with a message of three lines', (option) => {
    expect(() => readCommandLine([option])).toThrow(CommandLineError);
    expect(() => readCommandLine([option])).toThrow(
      /^.*\nUsage: posts-service \[options\]\n`posts-service --help` lists the options\.$/,
    );
  });
});
