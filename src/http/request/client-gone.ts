/** The client closed the connection before its request was complete: nobody is left to be answered. */
export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection.');
    this.name = 'ClientGone';
  }
}
