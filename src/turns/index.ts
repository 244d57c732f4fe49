/** What other rooms may use of turns: the time of the event loop, which the clients share. */
export { InTurn } from './in-turn.js';
export { inPieces, inSteps, inTurn, inTurns, LongTextJson } from './long-text.js';
export { SharedTime } from './shared-time.js';
export { Turns } from './turns.js';
