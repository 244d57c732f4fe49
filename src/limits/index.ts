/** What other rooms may use of the limits: the parts of one client, and the time of the event loop that clients share. */
export { ByteCollector } from './byte-collector.js';
export { type Client, ClientQuota, type Release } from './client-quota.js';
export { InTurn } from './in-turn.js';
export { escapeJson, inPieces, inSteps, inTurn, inTurns, isWithinPair, LongTextJson } from './long-text.js';
export { SharedTime } from './shared-time.js';
export { Turns } from './turns.js';
