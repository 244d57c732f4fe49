import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/**
 * Reads a new password: from a terminal without showing it, twice; otherwise from what is piped in. It is no argument of
 * a command, because the list of processes shows those to everybody.
 *
 * @throws Error when the two differ, or there is none
 */
export async function readNewPassword(): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return (await text(stdin)).replace(/\r?\n$/, '');
  // What is typed goes nowhere: readline echoes it by itself, and to an output that shows nothing.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: nowhere, terminal: true });
  const lines = reader[Symbol.asyncIterator]();
  const ask = async (cacheKey: string): Promise<string> => {
    stderr.write(cacheKey);
    const { value, done } = await lines.next();
    stderr.write('\n');
    // By Ctrl-C or Ctrl-D.
    if (done) throw new Error('No password was read; nothing was changed.');
    return value;
  };
  try {
    const password = await ask('New password: ');
    if ((await ask('The same again: ')) !== password) throw new Error('The two passwords differ.');
    return password;
  } finally {
    reader.close();
  }
}
