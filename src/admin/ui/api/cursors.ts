/** The cursors of the neighbouring pages, from a list's `Link` field. */
export interface PageCursors {
  readonly next?: string | undefined;
  readonly prev?: string | undefined;
}

const LINK = /<([^>]*)>([^,<]*)/g;
const RELATION = /;\s*rel="?([^";]+)"?/;

/**
 * Extracts the cursors from a `Link` field (RFC 8288). The rest of each URL is ignored: the service's own base URL may
 * differ from the one of this page.
 */
export function cursorsOf(linkField: string | null): PageCursors {
  const cursors: Record<string, string> = {};
  for (const [, target = '', attributes = ''] of (linkField ?? '').matchAll(LINK)) {
    const relations = RELATION.exec(attributes)?.[1]?.split(' ') ?? [];
    const cursor = new URL(target, 'http://base.invalid').searchParams.get('cursor');
    for (const relation of relations) if (cursor !== null) cursors[relation] = cursor;
  }
  return { next: cursors['next'], prev: cursors['prev'] };
}
