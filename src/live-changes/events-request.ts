import type { ListPostsQuery } from '../posts/dto/list-posts.query.js';
import { parsePubDate } from '../posts/pub-date.js';
import { type InputFault, InvalidRequest } from '../problem-details/index.js';

/** A position in the changes, as the events of a stream show it. */
const POSITION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Converts the query of a stream of changes.
 *
 * @param lastEventId the field `Last-Event-ID`, which wins
 * @throws InvalidRequest with other parameters than `modified_after` and `fields`, or a malformed position
 */
export function toEventsRequest(
  { modified_after: modifiedAfter, fields, ...others }: ListPostsQuery,
  lastEventId: string | undefined,
): { readonly since: string | undefined; readonly fields: ListPostsQuery['fields'] } {
  const faults: InputFault[] = [];
  for (const [parameter, value] of Object.entries(others)) {
    const detail = 'With text/event-stream, the parameters are modified_after and fields.';
    if (value !== undefined) faults.push({ detail, code: 'unknown_parameter', parameter });
  }
  const position = lastEventId === undefined ? undefined : toPosition(lastEventId);
  if (lastEventId !== undefined && position === undefined)
    faults.push({
      detail: 'The field must be the id of an event.',
      code: 'malformed',
      header: 'Last-Event-ID',
    });
  if (faults.length > 0) throw new InvalidRequest(faults);
  const after = modifiedAfter === undefined ? undefined : parsePubDate(modifiedAfter);
  return { since: position ?? after, fields };
}

function toPosition(id: string): string | undefined {
  return POSITION.test(id) ? parsePubDate(id) : undefined;
}
