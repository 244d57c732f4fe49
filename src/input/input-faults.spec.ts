import type { ValidationError } from 'class-validator';
import type { InputFault } from '../problem-details/problem.js';
import { allFaults, faultsOf } from './input-faults.js';

/** As class-validator reports them. */
const broken = (property: string, rule: string, value?: unknown) =>
  ({ property, value, constraints: { [rule]: 'broken' } }) as unknown as ValidationError;

describe('allFaults', () => {
  it('has the faults of the objects within an input, and none where one was found before', () => {
    const sent: InputFault[] = [{ detail: 'Twice.', code: 'repeated', pointer: '/name' }];
    const children = [broken('color', 'isString', 7), broken('bell', 'whitelistValidation')];
    const collar = { property: 'collar', value: {}, children } as unknown as ValidationError;
    const errors = [broken('name', 'isString'), broken('lives', 'isInt'), collar];
    const faults = allFaults(sent, faultsOf(errors, 'field'));
    expect(faults.map((fault) => [fault.code, Reflect.get(fault, 'pointer')])).toEqual([
      ['repeated', '/name'],
      ['required', '/lives'],
      ['not_a_string', '/collar/color'],
      ['unknown_field', '/collar/bell'],
    ]);
  });
});
