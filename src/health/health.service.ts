import { Injectable } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Database } from '../database/database.js';
import { InFlightRequests } from '../http/pipeline/in-flight-requests.js';
import { ClosedSchema } from '../openapi/document-types.js';

const STATUSES = ['ok', 'error'] as const;

@ClosedSchema('Health', 'Whether the service can be given requests.')
export class HealthDto {
  @ApiProperty({ enum: STATUSES, example: 'ok' })
  status!: (typeof STATUSES)[number];

  @ApiPropertyOptional({ description: 'What is the matter, when the status is error.' })
  detail?: string;
}

/** A database that takes longer to respond to a trivial query cannot serve requests either. */
const PING_TIMEOUT_MS = 2_000;

/** Determines whether the service can accept requests. */
@Injectable()
export class HealthService {
  constructor(
    private readonly database: Database,
    private readonly inFlightRequests: InFlightRequests,
  ) {}

  async readiness(): Promise<HealthDto> {
    if (this.inFlightRequests.isStopping) return { status: 'error', detail: 'The service is stopping.' };
    return (await this.#databaseResponds())
      ? { status: 'ok' }
      : { status: 'error', detail: 'The database does not answer.' };
  }

  async #databaseResponds(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), PING_TIMEOUT_MS);
    });
    const ping = this.database.ping().then(
      () => true,
      () => false,
    );
    try {
      return await Promise.race([ping, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }
}
