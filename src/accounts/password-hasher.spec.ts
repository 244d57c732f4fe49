import { ServiceUnavailable } from '../problem-details/problems.js';
import { readSettings } from '../settings/settings.js';
import { type Cost, PasswordHasher } from './password-hasher.js';

const MIB = 1_024 * 1_024;
const hasher = new PasswordHasher({ passwordHashMemory: MIB });

describe('PasswordHasher', () => {
  it('hashes with OWASP’s parameters by default', async () => {
    const { passwordHashMemory } = readSettings({}, { isTerminal: false });
    const stored = await new PasswordHasher({ passwordHashMemory }).hash('correct horse');
    expect(stored).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/);
  });

  it('accepts the password, and no other, and never hashes it to the same text', async () => {
    const stored = await hasher.hash('correct horse');
    expect(await hasher.verify('correct horse', stored)).toBe(true);
    for (const other of ['Correct horse', 'correct horse ', '', stored])
      expect(await hasher.verify(other, stored)).toBe(false);
    expect(await hasher.hash('correct horse')).not.toBe(stored);
  });

  it('treats equivalent Unicode spellings of a password as equal', async () => {
    const stored = await hasher.hash('Zo\u00EB \uFB01');
    expect(await hasher.verify('Zoe\u0308 fi', stored)).toBe(true);
  });

  it('verifies a hash made with other parameters, and reports that it is outdated', async () => {
    const stored = await new PasswordHasher({ passwordHashMemory: 2 * MIB }).hash('correct horse');
    expect(await hasher.verify('correct horse', stored)).toBe(true);
    expect(hasher.isOutdated(stored)).toBe(true);
    expect(hasher.isOutdated(await hasher.hash('correct horse'))).toBe(false);
  });

  it('derives a key at each stored cost, whether the name is known or not', async () => {
    const costs: number[] = [];
    class Observed extends PasswordHasher {
      protected override derive(...args: [string, Buffer, Cost]): Promise<Buffer> {
        costs.push(args[2].ln);
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

  it.each([undefined, '', '$scrypt$ln=10,r=8,p=1$AAAA$AAAA', '$2b$10$abc'])(
    'rejects the password when %j is stored',
    async (stored) => {
      expect(await hasher.verify('', stored)).toBe(false);
    },
  );

  it('accepts 22 hashes at once, and refuses the rest with ServiceUnavailable', async () => {
    const tries = Array.from({ length: 30 }, () => hasher.hash('correct horse'));
    const results = await Promise.allSettled(tries);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(8);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(ServiceUnavailable);
    await hasher.hash('correct horse');
  });
});
