import { ApiTokenNotFound } from '../../accounts/accounts.problems.js';
import { JSON_TYPE } from '../../http/media-types.js';
import { Documented } from '../../openapi/documented.decorator.js';
import { DATABASE_BUSY, UNKNOWN_PARAMETER } from '../../openapi/problem-samples.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { aCreation, aJson, idParameter } from '../json-answers.docs.js';
import { ApiTokenDto, IssuedApiTokenDto, NewApiTokenDto } from './api-token.dto.js';

const TOKEN_ID = idParameter('The token.');

const SAMPLE: ApiTokenDto = {
  id: 1,
  name: 'nightly import',
  hint: 'x7Qa',
  created_at: '2026-11-20T14:40:00.123Z',
  created_by: 'admin',
  expires_at: '2027-11-20T00:00:00.000Z',
  last_used_at: null,
};

export function DocumentsApiTokens(): MethodDecorator {
  return Documented({
    summary: 'List the API tokens',
    answers: {
      200: aJson(
        'All tokens that were not revoked, the oldest first, also those that have expired.',
        [ApiTokenDto],
        [SAMPLE],
      ),
    },
    problems: { unknownParameter: UNKNOWN_PARAMETER, databaseBusy: DATABASE_BUSY },
  });
}

export function DocumentsNewApiToken(): MethodDecorator {
  return Documented({
    summary: 'Make an API token',
    body: { content: { [JSON_TYPE]: { type: NewApiTokenDto } } },
    answers: {
      201: aCreation(aJson('The token. Nobody can show it again.', IssuedApiTokenDto)),
    },
    problems: {
      faultyName: new InvalidRequest([{ detail: 'The field is required.', pointer: '/name' }]),
      unknownParameter: UNKNOWN_PARAMETER,
      databaseBusy: DATABASE_BUSY,
    },
  });
}

export function DocumentsRevocation(): MethodDecorator {
  return Documented({
    summary: 'Revoke an API token',
    description: 'It is worth nothing any more, on every instance of the service.',
    parameters: [TOKEN_ID],
    answers: { 204: { description: 'The token is revoked.', headers: ['Cache-Control'] } },
    problems: {
      unknownParameter: UNKNOWN_PARAMETER,
      apiTokenNotFound: new ApiTokenNotFound(7),
      databaseBusy: DATABASE_BUSY,
    },
  });
}
