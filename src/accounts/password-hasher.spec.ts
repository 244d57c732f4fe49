import { TooBusy } from '../problem-details/problems.js';
import { readSettings } from '../settings/settings.js';
import { PasswordHasher } from './password-hasher.js';

const MIB = 1_024 * 1_024;
const hasher = new PasswordHasher({ passwordHashMemory: MIB });

describe('PasswordHasher', () => {
  it('hashes with OWASP’s parameters by default', async () => {
    const { passwordHashMemory } = readSettings({}, { isTerminal: false });
    const stored = await new PasswordHasher({ passwordHashMemory }).hash('correct horse');
    expect(stored).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/);
  });

  it('verifies a hash made with other parameters, and reports that it is outdated', async () => {
    const stored = await new PasswordHasher({ passwordHashMemory: 2 * MIB }).hash('correct horse');
    expect(await hasher.verify('correct horse', stored)).toBe(true);
    expect(hasher.isOutdated(stored)).toBe(true);
    const [own, another] = [await hasher.hash('correct horse'), await hasher.hash('correct horse')];
    expect(hasher.isOutdated(own)).toBe(false);
    expect(another).not.toBe(own);
  });

  it('derives a key at each stored cost, whether the name is known or not', async () => {
    const costs: number[] = [];
    class Observed extends PasswordHasher {
      protected override derive(...args: [string, Buffer, string]): Promise<Buffer> {
        costs.push(Number(/ln=(\d+)/.exec(args[2])![1]));
        return super.derive(...args);
      }
    }
    const now = new Observed({ passwordHashMemory: 4 * MIB });
    const [old, older] = [
      await new PasswordHasher({ passwordHashMemory: 2 * MIB }).hash('correct horse'),
      await hasher.hash('correct horse'),
    ];
    const used = async (password: string, stored: string | undefined, others = [old, older]) => {
      costs.length = 0;
      const isRight = await now.verify(password, stored, others);
      return [isRight, ...costs.toSorted((a, b) => a - b)];
    };
    expect(await used('correct horse', old)).toEqual([true, 10, 11]);
    expect(await used('correct horse', older)).toEqual([true, 10, 11]);
    expect(await used('wrong', old)).toEqual([false, 10, 11]);
    expect(await used('correct horse', undefined)).toEqual([false, 10, 11]);
    expect(await used('wrong', undefined, [older.slice(0, 25), older])).toEqual([false, 10]);
    expect(await used('wrong', undefined, [])).toEqual([false, 12]);
  });

  it('rejects the password when the stored text is no hash', async () => {
    for (const stored of ['', '$scrypt$ln=10,r=8,p=1$AAAA$AAAA', '$2b$10$abc'])
      expect(await hasher.verify('', stored)).toBe(false);
  });

  it('hashes one password of a client at a time, so that the others do not wait for all of its guesses', async () => {
    const ended: string[] = [];
    const hashFor = async (client: string): Promise<void> => {
      await hasher.hash('correct horse', { name: client });
      ended.push(client);
    };
    const guesses = Array.from({ length: 30 }, () => hashFor('guesser'));
    await hashFor('another');
    expect(ended.filter((client) => client === 'guesser').length).toBeLessThan(5);
    await Promise.all(guesses);
  });

  it('lets 64 passwords of a client wait, and refuses the rest', async () => {
    const tries = Array.from({ length: 70 }, () => hasher.hash('correct horse', { name: 'guesser' }));
    const results = await Promise.allSettled(tries);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(5);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(TooBusy);
    await hasher.hash('correct horse', { name: 'guesser' });
  });

  it('does not hash for a client that has gone', async () => {
    const gone = new AbortController();
    const first = hasher.hash('correct horse', { name: 'gone', signal: gone.signal });
    const second = hasher.hash('correct horse', { name: 'gone', signal: gone.signal });
    gone.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    await first;
  });
});
