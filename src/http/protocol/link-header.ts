/** A link of a `Link` field (RFC 8288). All members but the target become its attributes, in their order. */
export interface Link {
  /** A URL or a reference to one, percent-encoded already, so that it holds no `>`. */
  readonly target: string;
  /** One relation type or several, separated by spaces: `next`. */
  readonly rel: string;
  /** A hint at the media type of what is behind the link. */
  readonly type?: string;
}

/** Several links as the value of one `Link` field (RFC 8288 §3); empty when there are none: then leave out the field. */
export function formatLinks(links: readonly Link[]): string {
  return links.map(formatLink).join(', ');
}

function formatLink({ target, ...attributes }: Link): string {
  let text = `<${target}>`;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) text += `; ${name}="${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  }
  return text;
}
