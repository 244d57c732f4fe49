import type { ApplicationConfig } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { IssuedTokensService } from './accounts/issued-tokens.service.js';
import { Database } from './database/database.js';
import { assertNothingBypassed } from './http/declared-routes.js';
import { AnswerCache } from './http/answer-cache.js';
import type { FastExpressAdapter } from './http/fast-express-adapter.js';
import { observeAnswers } from './http/answered-requests.js';
import { Front } from './http/front.js';
import { OpenRequests } from './http/open-requests.js';
import { requestLog } from './http/request-log.js';
import { RouteTable } from './http/route-table.js';
import { LOGGER } from './logging/logging.module.js';
import { Metrics } from './metrics/metrics.js';
import { ProblemDetailsFilter } from './problem-details/problem-details.filter.js';
import { SETTINGS } from './settings/settings.module.js';
import type { Settings } from './settings/settings.js';

/** What stands before the controllers: used by start.ts and by the tests, so that both meet the same app. */
export function configureApp(app: NestExpressApplication, adapter: FastExpressAdapter): void {
  const settings = app.get<Settings>(SETTINGS);
  const routes = app.get(RouteTable);
  const logger = app.get<Logger>(LOGGER);
  const { observe } = app.get(Metrics);
  const problems = app.get(ProblemDetailsFilter);
  const openRequests = app.get(OpenRequests);
  const front: Front = new Front(
    settings,
    routes,
    new AnswerCache(app.get(Database)),
    openRequests,
    app.get(IssuedTokensService),
    observeAnswers(
      [
        (request) => front.close(request),
        observe,
        ...(logger.isLevelEnabled('info') ? [requestLog(logger)] : []),
      ],
      (err, { context }) => {
        logger.error({ request_id: context.id, err }, 'The end of a request was not handled completely.');
      },
    ),
    (problem, request, response) => problems.answer(problem, request, response),
  );
  adapter.receiveBy(front, openRequests, () => {
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
