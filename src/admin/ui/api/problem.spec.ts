import { FIELDS } from './posts.js';
import { faultsByField } from './problem.js';

describe('faultsByField', () => {
  it('joins the faults of a field, and leaves out faults without a field', () => {
    const errors = [
      { detail: 'Too old.', pointer: '/pub_date' },
      { detail: 'Empty.', pointer: '/title' },
      { detail: 'Blank.', pointer: '/title' },
      { detail: 'Unknown.', pointer: '/colour' },
      { detail: 'Bad.', parameter: 'id' },
    ];
    expect(faultsByField(errors, FIELDS)).toEqual({ title: 'Empty. Blank.', pub_date: 'Too old.' });
  });

  it('is empty when there are no faults', () => {
    expect(faultsByField([], FIELDS)).toEqual({});
  });
});
