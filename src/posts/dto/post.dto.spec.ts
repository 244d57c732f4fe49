import { validateSync } from 'class-validator';
import { IsStorable, isStorable } from '../../http/request/validation.js';
import { TitleField } from './post-fields.js';

class Texts {
  @IsStorable()
  text = '';

  @TitleField({})
  title = 'A title';
}

/** The detail of the first fault of a DTO, or undefined. */
function faultOf(texts: Partial<Texts>): string | undefined {
  const [error] = validateSync(Object.assign(new Texts(), texts));
  return Object.values(error?.constraints ?? {})[0];
}

function textFault(text: string): string | undefined {
  const fault = faultOf({ text });
  expect(isStorable(text)).toBe(fault === undefined);
  return fault;
}

function titleFault(title: string): string | undefined {
  return faultOf({ title });
}

describe('IsStorable', () => {
  it.each([[''], ['\u0001\u001f\u007f\uffff\ufffe\ufffd'], ['e\u0301 \u200f \u202e'], ['😀👨‍👩‍👧']])(
    'accepts %j',
    (text) => {
      expect(textFault(text)).toBeUndefined();
    },
  );

  it.each([['\0'], ['a\0b'], ['a\0']])('reports U+0000 in %j', (text) => {
    expect(textFault(text)).toContain('U+0000');
  });

  it.each([
    ['a high surrogate at the end', 'a\ud83d'],
    ['a reversed pair', '\ude00\ud83d'],
    ['a high surrogate before a pair', '\ud83d\ud83d\ude00'],
  ])('reports the lone surrogate in %s', (_, text) => {
    expect(textFault(text)).toContain('lone surrogate');
  });
});

describe('TitleField', () => {
  it.each([
    ['200 letters', 'a'.repeat(200)],
    ['200 emoji', '😀'.repeat(200)],
    ['white space around it', ' \u00a0a\n'],
    ['a character that trim() keeps', '\u200b'],
  ])('accepts %s', (_, title) => {
    expect(titleFault(title)).toBeUndefined();
  });

  it.each([
    ['201 letters', 'a'.repeat(201)],
    ['201 emoji', '😀'.repeat(201)],
    ['200 emoji and a letter', `${'😀'.repeat(200)}a`],
    ['a million letters', 'a'.repeat(1_000_000)],
  ])('refuses %s as too long', (_, title) => {
    expect(titleFault(title)).toContain('at most 200 characters');
  });

  it.each([[''], [' '], [' \t\r\n'], ['\u00a0\u2003\u3000\ufeff\u2028']])('refuses %j as blank', (title) => {
    expect(titleFault(title)).toContain('white space');
  });
});
