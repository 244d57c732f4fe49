import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/**
 * Reads a new password: from a terminal twice and without echo, otherwise from piped input. It is not a command
 * argument, because the process list shows arguments to every user.
 *
 * @throws Error when the two entries differ, or there is none
 */
export async function readNewPassword(): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return (await text(stdin)).replace(/\r?\n$/, '');
  // readline echoes the input to its output; this output discards it.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: nowhere, terminal: true });
  const lines = reader[Symbol.asyncIterator]();
  const ask = async (prompt: string): Promise<string> => {
    stderr.write(prompt);
    const { value, done } = await lines.next();
    stderr.write('\n');
    // Input ended by Ctrl-C or Ctrl-D.
    if (done) throw new Error('No password was read; nothing was changed.');
    return value;
  };
  try {
    const password = await ask('New password: ');
    if ((await ask('Repeat the password: ')) !== password) throw new Error('The two passwords differ.');
    return password;
  } finally {
    reader.close();
  }
}
