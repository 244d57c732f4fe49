/** The cursors of the neighbouring pages; a list's `Link` field carries them. */
export interface PageCursors {
  readonly next?: string;
  readonly prev?: string;
}

const LINK = /<([^>]*)>([^,<]*)/g;
const RELATION = /;\s*rel="?([^";]+)"?/;

/**
 * Takes the cursors out of a `Link` field (RFC 8288). Only these: what stands before them is the service's own idea of
 * its address, which need not be the one that this page was loaded from.
 */
export function cursorsOf(linkField: string | null): PageCursors {
  const cursors: Record<string, string> = {};
  for (const [, target = '', attributes = ''] of (linkField ?? '').matchAll(LINK)) {
    const relations = RELATION.exec(attributes)?.[1]?.split(' ') ?? [];
    const cursor = new URL(target, 'http://base.invalid').searchParams.get('cursor');
    for (const relation of relations) if (cursor !== null) cursors[relation] = cursor;
  }
  return {
    ...(cursors['next'] && { next: cursors['next'] }),
    ...(cursors['prev'] && { prev: cursors['prev'] }),
  };
}
