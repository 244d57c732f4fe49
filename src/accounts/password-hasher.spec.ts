import { ServiceUnavailable } from '../problem-details/problems.js';
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

  it('accepts the password, and no other', async () => {
    const stored = await hasher.hash('correct horse');
    expect(await hasher.verify('correct horse', stored)).toBe(true);
    for (const other of ['Correct horse', 'correct horse ', 'correct hors', '', stored]) {
      expect(await hasher.verify(other, stored)).toBe(false);
    }
  });

  it('never hashes the same password to the same text', async () => {
    expect(await hasher.hash('correct horse')).not.toBe(await hasher.hash('correct horse'));
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

  it.each([
    undefined,
    '',
    'x',
    '$scrypt$ln=10,r=8,p=1$AAAA$',
    '$scrypt$ln=10,r=8,p=1$AAAA$AAAA',
    '$2b$10$abc',
  ])('rejects the password when %j is stored', async (stored) => {
    expect(await hasher.verify('', stored)).toBe(false);
  });

  it('accepts 22 hashes at once, and refuses the rest with ServiceUnavailable', async () => {
    const tries = Array.from({ length: 30 }, () => hasher.hash('correct horse'));
    const results = await Promise.allSettled(tries);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(8);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(ServiceUnavailable);
    await hasher.hash('correct horse');
  });
});
