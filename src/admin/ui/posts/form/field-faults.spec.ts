import { faultsByField, firstFaulty } from './field-faults.js';

describe('faultsByField', () => {
  it('puts the words on a field together, and leaves out what is about none', () => {
    const faults = faultsByField([
      { detail: 'Too old.', pointer: '/pub_date' },
      { detail: 'Empty.', pointer: '/title' },
      { detail: 'Blank.', pointer: '/title' },
      { detail: 'Unknown.', pointer: '/colour' },
      { detail: 'Bad.', parameter: 'id' },
    ]);
    expect(faults).toEqual({ title: 'Empty. Blank.', pub_date: 'Too old.' });
    expect(firstFaulty(faults)).toBe('title');
  });

  it('finds no field where there is no fault', () => {
    expect(firstFaulty(faultsByField([]))).toBeUndefined();
  });
});
