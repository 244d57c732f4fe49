import { Injectable } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../database/index.js';
import { InFlightRequests } from '../http/index.js';
import { ClosedSchema } from '../openapi/index.js';

@ClosedSchema('Health', 'Whether the service can take requests.')
export class HealthDto {
  @ApiProperty({ enum: ['ok', 'error'], example: 'ok' })
  status!: 'ok' | 'error';

  @ApiPropertyOptional({
    enum: ['refused'],
    description: 'Present while the database serves reads but accepts no writes.',
  })
  writes?: 'refused';

  @ApiPropertyOptional({ description: 'The reason, if the status is `error` or writes are refused.' })
  detail?: string;
}

/** A database that takes longer to respond to a trivial query cannot serve requests either. */
const PING_TIMEOUT_MS = 2_000;

export const NO_DATABASE = 'The database does not respond.';

const REFUSALS: Readonly<Record<NonNullable<Database['writes']['refusal']>, string>> = {
  full: 'The database has no space left: writes are refused.',
  'read-only': 'The database is read-only: writes are refused.',
};

/** Determines whether the service can accept requests. */
@Injectable()
export class HealthService {
  constructor(
    private readonly database: Database,
    private readonly inFlightRequests: InFlightRequests,
  ) {}

  async readiness(): Promise<HealthDto> {
    if (this.inFlightRequests.isDraining) return { status: 'error', detail: 'The service is stopping.' };
    const noAnswer = sleep(PING_TIMEOUT_MS, 'unreachable' as const, { ref: false });
    const refusal = await Promise.race([this.database.ping(), noAnswer]).catch(() => 'unreachable' as const);
    if (refusal === 'unreachable') return { status: 'error', detail: NO_DATABASE };
    return refusal ? { status: 'ok', writes: 'refused', detail: REFUSALS[refusal] } : { status: 'ok' };
  }
}
