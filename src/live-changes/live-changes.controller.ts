import { Controller, Get, Headers, Query } from '@nestjs/common';
import { Access, ApiResponse, CurrentClient, InFlightRequests, Operation } from '../http/index.js';
import type { Client } from '../limits/index.js';
import { Metrics } from '../metrics/metrics.js';
import { ListPostsQuery } from '../posts/dto/list-posts.query.js';
import { WALK } from '../posts/post-documentation.js';
import { toEventsRequest } from './events-request.js';
import { type EventBody, LiveChanges } from './live-changes.service.js';

/** Server-Sent Events, as the HTML standard has them. */
const EVENT_STREAM_TYPE = 'text/event-stream';

const EVENTS = {
  type: {
    type: 'string',
    description:
      'Changes as they happen, as Server-Sent Events: `event: post` with the post after it was created or changed, and ' +
      '`event: deleted` with `id` and `deleted_at`. It begins at `modified_after`, by default now; the only other ' +
      'parameter is `fields`. Nothing is missed: `Last-Event-ID`, which `EventSource` sends, continues after an event; ' +
      'an event may come twice.',
  },
  example: `event: post\nid: ${WALK.pub_date}\ndata: ${JSON.stringify(WALK)}\n\n`,
};

/** The changes of posts as they happen, at the path of the list. */
@Controller('posts')
export class LiveChangesController {
  constructor(
    private readonly changes: LiveChanges,
    inFlightRequests: InFlightRequests,
    metrics: Metrics,
  ) {
    inFlightRequests.onStop(() => changes.end());
    metrics.add({
      name: 'posts_streams',
      help: 'Open streams of changes.',
      type: 'gauge',
      value: () => changes.count,
    });
  }

  /** A part of the operation that lists posts, for clients that ask for events. */
  @Get()
  @Access({ anyone: 'Posts are open to read.' })
  @Operation({
    name: 'post-list',
    parameters: ['Last-Event-ID'],
    responses: {
      200: {
        description: 'Or a stream of the changes.',
        headers: ['X-Accel-Buffering'],
        content: { [EVENT_STREAM_TYPE]: EVENTS },
      },
    },
    problems: [410],
  })
  async streamChanges(
    @Query() query: ListPostsQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @CurrentClient() client: Client,
  ): Promise<ApiResponse> {
    const { since, fields } = toEventsRequest(query, lastEventId);
    return eventsResponse(await this.changes.open(since, fields, client));
  }
}

/** 200 with a stream of events. Proxies must neither keep it nor collect it: nginx reads X-Accel-Buffering. */
function eventsResponse(body: EventBody): ApiResponse {
  return new ApiResponse({
    headers: {
      'Content-Type': EVENT_STREAM_TYPE,
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    },
    body,
  });
}
