import { FIELDS } from './posts.js';
import { faultsByField } from './problem.js';

describe('faultsByField', () => {
  it('puts the words on a field together, and leaves out what is about none', () => {
    const errors = [
      { detail: 'Too old.', pointer: '/pub_date' },
      { detail: 'Empty.', pointer: '/title' },
      { detail: 'Blank.', pointer: '/title' },
      { detail: 'Unknown.', pointer: '/colour' },
      { detail: 'Bad.', parameter: 'id' },
    ];
    expect(faultsByField(errors, FIELDS)).toEqual({ title: 'Empty. Blank.', pub_date: 'Too old.' });
  });

  it('finds no field where there is no fault', () => {
    expect(faultsByField([], FIELDS)).toEqual({});
  });
});
