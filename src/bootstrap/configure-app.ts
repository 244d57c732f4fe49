import type { ApplicationConfig } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { IssuedTokensService } from '../accounts/issued-tokens.service.js';
import { Database } from '../database/database.js';
import { assertNothingBypassed } from '../http/pipeline/declared-routes.js';
import { ResponseCache } from '../http/response/response-cache.js';
import type { FastExpressAdapter } from '../http/pipeline/fast-express-adapter.js';
import { observeCompletion } from '../http/pipeline/completed-requests.js';
import { HttpPipeline } from '../http/pipeline/http-pipeline.js';
import { InFlightRequests } from '../http/pipeline/in-flight-requests.js';
import { requestLog } from '../http/pipeline/request-log.js';
import { RouteTable } from '../http/pipeline/route-table.js';
import { LOGGER } from '../logging/logging.module.js';
import { Metrics } from '../metrics/metrics.js';
import { ProblemDetailsFilter } from '../problem-details/problem-details.filter.js';
import { SETTINGS } from '../settings/settings.module.js';
import type { Settings } from '../settings/settings.js';

/** What stands before the controllers: used by start.ts and by the tests, so that both meet the same app. */
export function configureApp(app: NestExpressApplication, adapter: FastExpressAdapter): void {
  const settings = app.get<Settings>(SETTINGS);
  const routes = app.get(RouteTable);
  const logger = app.get<Logger>(LOGGER);
  const { observe } = app.get(Metrics);
  const problems = app.get(ProblemDetailsFilter);
  const inFlightRequests = app.get(InFlightRequests);
  const pipeline: HttpPipeline = new HttpPipeline(
    settings,
    routes,
    new ResponseCache(app.get(Database)),
    inFlightRequests,
    app.get(IssuedTokensService),
    observeCompletion(
      [
        (request) => pipeline.complete(request),
        observe,
        ...(logger.isLevelEnabled('info') ? [requestLog(logger)] : []),
      ],
      (err, { context }) => {
        logger.error({ request_id: context.id, err }, 'The end of a request was not handled completely.');
      },
    ),
    (problem, request, response) => problems.apiResponse(problem, request, response),
  );
  adapter.usePipeline(pipeline, inFlightRequests, () => {
    // Nest shows its configuration nowhere else; @nestjs/swagger reads it here, too.
    const { config } = app as unknown as { config: ApplicationConfig };
    assertNothingBypassed(routes.routes, [
      ...config.getGlobalGuards(),
      ...config.getGlobalInterceptors(),
      ...config.getGlobalRequestGuards(),
      ...config.getGlobalRequestInterceptors(),
    ]);
  });
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', settings.trustProxy);
  app.set('query parser', false);
}
