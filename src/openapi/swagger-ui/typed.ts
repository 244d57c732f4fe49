/** The elements of the operations in whose bodies text was typed that no request has stored. */
const typed = new Set<string>();

/** @param operation the id of its element, such as `operations-posts-createPost` */
export function isTyped(operation: string): boolean {
  return typed.has(operation);
}

/** The text is stored, or was replaced on demand. */
export function forgetTyped(operation: string): void {
  typed.delete(operation);
}

/** Notices what is typed into bodies. While some of it is not stored, the browser asks before it leaves the page. */
export function watchTyping(): void {
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    const body = target.closest('.opblock-section-request-body');
    const operation = body?.closest('.opblock')?.id;
    if (!body || operation === undefined) return;
    const texts = [...body.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')];
    if (texts.some(({ value }) => value !== '')) typed.add(operation);
    else typed.delete(operation);
  });
  addEventListener('beforeunload', (event) => {
    if (typed.size > 0) event.preventDefault();
  });
}
