/** The client closed the connection before its request was complete, so no response is sent. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}
