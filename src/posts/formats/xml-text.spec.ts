import { escapeXml } from './atom.js';

describe('text in XML', () => {
  it('has markup characters and carriage returns escaped', () => {
    expect(escapeXml('a<b>&"c"\r\n\t]]>')).toBe('a&lt;b&gt;&amp;&quot;c&quot;&#13;\n\t]]&gt;');
  });

  it.each(['\u0000', '\u0001', '\u0008', '\u000b', '\u000c', '\u000e', '\u001f', '\ufffe', '\uffff'])(
    'shows a symbol instead of %j',
    (char) => {
      expect(escapeXml(`a${char}b`)).toMatch(/^a[\u2400-\u241f\ufffd]b$/);
    },
  );

  it('keeps all other characters', () => {
    const text = '\t\n \u0085\u2028é😀\ufffd\u{1fffe}';
    expect(escapeXml(text)).toBe(text);
  });
});
