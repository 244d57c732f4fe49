import type { ReactNode } from 'react';
import { t } from '../texts/texts.js';
import type { Author } from './change.js';

export function AuthorName({ author: { kind, name } }: { author: Author }): ReactNode {
  return <span dir="auto">{t(`lists.author.${kind}`, { name: name ?? '' })}</span>;
}
