import { Documented } from '../../openapi/documented.decorator.js';
import { DATABASE_BUSY, UNKNOWN_PARAMETER } from '../../openapi/problem-samples.js';
import { CHANGE } from '../history-samples.docs.js';
import { aJson } from '../json-answers.docs.js';
import { DashboardDto } from './dashboard.dto.js';

export function DocumentsGetDashboard(): MethodDecorator {
  return Documented({
    summary: 'Read what people look at first',
    answers: {
      200: aJson('How things are.', DashboardDto, {
        posts: 128,
        version: '1.0.0',
        started_at: '2026-11-20T14:40:00.123Z',
        database: { kind: 'sqlite', size_bytes: 1_048_576 },
        health: { status: 'ok' },
        posts_per_month: [{ month: '2026-11', posts: 12 }],
        latest_changes: [CHANGE],
      }),
    },
    problems: { unknownParameter: UNKNOWN_PARAMETER, databaseBusy: DATABASE_BUSY },
  });
}
