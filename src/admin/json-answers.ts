import { Answer } from '../http/answer.js';
import { JSON_TYPE } from '../http/media-types.js';

/** What the administration is told is nobody else's business, and changes under the hands of others. */
const HEADERS = {
  'Content-Type': JSON_TYPE,
  'Cache-Control': 'no-store',
  Vary: 'Accept, Accept-Encoding',
};

/** 200 with a document. */
export function answerJson(document: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return new Answer({ status: 200, headers: { ...HEADERS, ...headers }, body: JSON.stringify(document) });
}

/** 201 with what was made, and where it is. */
export function answerCreated(document: unknown, location: string): Answer {
  return new Answer({
    status: 201,
    headers: { ...HEADERS, Location: location },
    body: JSON.stringify(document),
  });
}

/** 204: it is done, and there is nothing to say. */
export function answerDone(): Answer {
  return new Answer({ status: 204, headers: { 'Cache-Control': 'no-store' } });
}
