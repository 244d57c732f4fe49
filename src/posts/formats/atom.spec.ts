import { escapeXml } from './atom.js';

describe('text in XML', () => {
  it('has markup characters and carriage returns escaped', () => {
    expect(escapeXml('a<b>&"c"\r\n\t]]>')).toBe('a&lt;b&gt;&amp;&quot;c&quot;&#13;\n\t]]&gt;');
  });

  it('has U+FFFD in the place of what XML cannot represent', () => {
    const text = '\u0000\u0001\u0008\u000b\u000c\u000e\u001f\ufffe\uffff';
    expect(escapeXml(text)).toBe('\ufffd'.repeat(text.length));
  });

  it('keeps all other characters', () => {
    const text = '\t\n \u0085\u2028é😀\ufffd\u{1fffe}';
    expect(escapeXml(text)).toBe(text);
  });
});
