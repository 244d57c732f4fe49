/** Why the service, or a command, cannot start: a sentence for whoever starts it, which needs no stack. */
export class StartFault extends Error {
  override readonly name: string = 'StartFault';
}
