import { FIELDS } from './posts.js';
import { faultsByField, Problem } from './problem.js';

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
});

describe('the reasons of a problem', () => {
  it('are its faults with their places, or else its detail', () => {
    const faults = [
      { detail: 'Too long.', pointer: '/name' },
      { detail: 'Bad.', parameter: 'id' },
      { detail: 'No.', pointer: '' },
    ];
    expect(new Problem(400, 'The request has 3 faults.', faults).reasons).toEqual([
      'name: Too long.',
      'id: Bad.',
      'No.',
    ]);
    expect(new Problem(409, 'Busy.').reasons).toEqual(['Busy.']);
  });
});
