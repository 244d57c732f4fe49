const PLURALS = new Intl.PluralRules('en');

/** Returns the form of a text that suits a number: "1 post", "2 posts". */
export function plural(count: number, one: string, others: string): string {
  return PLURALS.select(count) === 'one' ? one : others;
}

/** Characters that are written from right to left, and characters that change the direction of what follows. */
const BIDIRECTIONAL =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Bidi_Control}]/u;

/** Text of a user for a message. It cannot change the direction of the text around it (Unicode TR 9, isolates). */
export function isolated(text: string): string {
  return BIDIRECTIONAL.test(text) ? `\u2068${text}\u2069` : text;
}

/** {@link isolated} text in quotation marks. */
export function quoted(text: string): string {
  return `“${isolated(text)}”`;
}
