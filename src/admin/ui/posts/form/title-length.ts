/** In Unicode code points, as the service counts: an emoji is one. */
export const MAX_TITLE_LENGTH = 200;

export function titleLength(title: string): number {
  let length = 0;
  for (const _ of title) length += 1;
  return length;
}
