import { guessMapping } from './column-mapping.js';

describe('guessMapping', () => {
  it.each([
    [['id', 'title', 'pub_date', 'body'], { title: 1, pub_date: 2, body: 3 }],
    [['Post Content', 'Publication date', 'HEADLINE'], { title: 2, pub_date: 1, body: 0 }],
    [['Name', 'Title', 'Text'], { title: 1, body: 2 }],
    [['Datum', 'Titel', 'Inhalt'], { title: 1, pub_date: 0, body: 2 }],
    [['a', 'b'], {}],
    [[], {}],
  ])('maps the header %j to %j', (header, mapping) => {
    expect(guessMapping(header)).toEqual(mapping);
  });
});
