import { atom } from './atom.js';
import { csv } from './csv.js';
import { json } from './json.js';
import { ndjson } from './ndjson.js';
import type { PostListRepresentation } from './post-list-representation.js';

/** What lists can be had as. The first is the default. */
export const LIST_REPRESENTATIONS: readonly PostListRepresentation[] = [json, ndjson, csv, atom];
