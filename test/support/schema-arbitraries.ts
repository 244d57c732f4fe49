import * as fc from 'fast-check';

/** The subset of JSON Schema that the service's OpenAPI document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
}

/** Text that could be an injection, or that is hard to store unchanged. */
export const nastyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    `'; DROP TABLE posts; --`,
    `" OR 1=1 --`,
    '=cmd|"/c calc"!A1',
    '\r\nX-Injected: 1',
    '%00',
    '<script>alert(1)</script>',
    '__proto__',
    '\u202Eevil',
    '\ufeffmarked',
    '0'.repeat(5_000),
    `${'a'.repeat(5_000)}!`,
    '\u{1F600}'.repeat(200),
  ),
);

/** Values that the schema allows. (Where a pattern is too loose, as for dates, the service refuses some of them.) */
export function valuesOf(schema: Schema, root: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valuesOf(root[schema.$ref.replace(/^.*\//, '')]!, root);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const { type } = schema;
  if (type === 'integer') {
    const { minimum = -(2 ** 31), maximum = 2 ** 31 } = schema;
    const few = Math.min(maximum, Math.max(minimum, 0) + 200);
    return fc.oneof(fc.integer({ min: minimum, max: few }), fc.integer({ min: minimum, max: maximum }));
  }
  if (type === 'string') return textsOf(schema);
  if (type === 'array') {
    const maxLength = Math.min(schema.maxItems ?? 5, 5);
    return fc.uniqueArray(valuesOf(schema.items!, root), { minLength: 1, maxLength });
  }
  if (schema.properties) {
    const values = Object.entries(schema.properties).map(([name, each]) => [name, valuesOf(each, root)]);
    return fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>, {
      requiredKeys: [...(schema.required ?? [])],
      noNullPrototype: true,
    });
  }
  // A schema without constraints allows any value.
  return fc.jsonValue();
}

function textsOf({
  pattern,
  minLength = 0,
  maxLength = 5_000,
  examples = [],
}: Schema): fc.Arbitrary<unknown> {
  const known = examples.map((each) => fc.constant(each as string));
  // Random text hardly ever matches a pattern with digits, as for dates.
  if (pattern?.includes('\\d')) return fc.oneof(...known, textsLike(pattern));
  const rule = new RegExp(pattern ?? '', 'u');
  const isAllowed = (text: string): boolean => {
    const { length } = Array.from(text);
    return length >= minLength && length <= maxLength && rule.test(text) && text.isWellFormed();
  };
  return fc.oneof(...known, { weight: 3, arbitrary: nastyText.filter(isAllowed) });
}

/** fast-check does not support assertions in patterns, so they are removed. Nearly all texts satisfy them anyway. */
function textsLike(pattern: string): fc.Arbitrary<string> {
  const source = pattern.replaceAll('(?!0000)', '').replaceAll('\\d+', '\\d{1,9}');
  return fc.stringMatching(new RegExp(source)).filter((text) => new RegExp(pattern).test(text));
}
