/** Why the service cannot start, in a sentence for whoever starts it: it needs no stack. */
export class StartFault extends Error {
  override readonly name = 'StartFault';
}
