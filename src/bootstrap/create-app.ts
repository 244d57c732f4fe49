import { type ApplicationConfig, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { IssuedTokensService } from '../accounts/api-tokens.service.js';
import { AppModule } from '../app.module.js';
import { Database } from '../database/database.js';
import { assertNothingBypassed } from '../http/pipeline/declared-routes.js';
import { FastExpressAdapter } from '../http/pipeline/fast-express-adapter.js';
import { HttpPipeline } from '../http/pipeline/http-pipeline.js';
import { InFlightRequests } from '../http/pipeline/in-flight-requests.js';
import { observeCompletion, requestLog } from '../http/pipeline/request-log.js';
import { RouteTable } from '../http/pipeline/route-table.js';
import { LOGGER, nestLogger } from '../logging/logger.js';
import { Metrics } from '../metrics/metrics.js';
import { ProblemDetailsFilter } from '../problem-details/problem-details.filter.js';
import { SETTINGS, type Settings } from '../settings/settings.js';

/** Creates the service without listening, for start.ts and for tests. */
export async function createApp(settings: Settings, logger: Logger): Promise<NestExpressApplication> {
  const adapter = new FastExpressAdapter();
  const app = await NestFactory.create<NestExpressApplication>(AppModule.of(settings, logger), adapter, {
    // The pipeline reads bodies after it has checked the route, the origin and the header fields; see
    // http/pipeline/http-pipeline.ts.
    bodyParser: false,
    logger: nestLogger(logger),
    abortOnError: false,
  });
  configureApp(app, adapter);
  return app;
}

/** Sets up everything in front of the controllers. Tests also call it for apps with modules of their own. */
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
    app.get(Database),
    inFlightRequests,
    app.get(IssuedTokensService),
    observeCompletion(
      [
        (request) => pipeline.complete(request),
        observe,
        ...(logger.isLevelEnabled('info') ? [requestLog(logger)] : []),
      ],
      (err, { context }) => {
        logger.error({ request_id: context.id, err }, 'The work at the end of a request failed.');
      },
    ),
    (problem, request, response) => problems.apiResponse(problem, request, response),
  );
  adapter.usePipeline(pipeline, inFlightRequests, () => {
    // Nest exposes its configuration nowhere else; @nestjs/swagger also reads it here.
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
