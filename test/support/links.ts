const LINK = /^<([^<>"\s]*)>((?:; [a-z]+="[^"\\]*")*)$/;

/** The targets of a `Link` field by relation. The parser is strict, so that any client can read what it accepts. */
export function parseLinks(field: string | undefined): Record<string, string> {
  const links: Record<string, string> = {};
  if (field === undefined) return links;
  for (const text of field.split(/, (?=<)/)) {
    const [, target, attributes = ''] = LINK.exec(text) ?? [];
    const rel = /; rel="([^"]*)"/.exec(attributes)?.[1];
    if (target === undefined || rel === undefined) throw new Error(`This is not a link: ${text}`);
    if (rel in links) throw new Error(`There are two links with rel="${rel}".`);
    links[rel] = target;
  }
  return links;
}
