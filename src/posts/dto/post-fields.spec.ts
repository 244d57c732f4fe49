import { readFields } from '../../input/input-faults.js';
import { rulesOf } from '../../input/input-rules.js';
import { TextField } from './post-fields.js';

class WithSubtitle {
  @TextField({})
  body!: string;

  @TextField({ nullable: true })
  subtitle?: string | null;
}

function codesOf(fields: Readonly<Record<string, unknown>>): string[] {
  const { faults } = readFields(WithSubtitle, fields);
  return faults.map(({ code }) => code);
}

describe('a field that may be null', () => {
  it.each<[Readonly<Record<string, unknown>>, string[]]>([
    [{ body: '', subtitle: null }, []],
    [{ body: '' }, []],
    [{ body: '', subtitle: 'a' }, []],
    [{ body: '', subtitle: 7 }, ['not_a_string']],
    [{ body: null, subtitle: null }, ['not_a_string']],
  ])('reads %j', (fields, codes) => {
    expect(codesOf(fields)).toEqual(codes);
  });

  it('is optional, so that an empty cell or form field counts as not sent', () => {
    expect([...rulesOf(WithSubtitle).optional]).toEqual(['subtitle']);
  });
});
