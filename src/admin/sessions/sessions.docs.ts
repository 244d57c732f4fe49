import { LogInRefused, TooManyLogIns } from '../../accounts/accounts.problems.js';
import { JSON_TYPE } from '../../http/media-types.js';
import { Documented } from '../../openapi/documented.decorator.js';
import { DATABASE_BUSY, UNKNOWN_PARAMETER } from '../../openapi/problem-samples.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { aCreation, aJson } from '../json-answers.docs.js';
import { CredentialsDto } from './credentials.dto.js';
import { NewSessionDto, SessionDto } from './session.dto.js';

export function DocumentsLogIn(): MethodDecorator {
  return Documented({
    summary: 'Log in',
    description:
      'Begins a session of an hour. Whoever tries again and again has to wait longer and longer, and is told for how long.',
    body: { content: { [JSON_TYPE]: { type: CredentialsDto } } },
    answers: {
      201: aCreation(aJson('The session, and the token that stands for it.', NewSessionDto)),
    },
    problems: {
      faultyCredentials: new InvalidRequest([{ detail: 'The field is required.', pointer: '/password' }]),
      unknownParameter: UNKNOWN_PARAMETER,
      logInRefused: new LogInRefused(),
      tooManyLogIns: new TooManyLogIns(8),
      databaseBusy: DATABASE_BUSY,
    },
  });
}

export function DocumentsSession(): MethodDecorator {
  return Documented({
    summary: 'Read the session of the request’s token',
    answers: {
      200: aJson('The session.', SessionDto),
    },
    problems: { unknownParameter: UNKNOWN_PARAMETER, databaseBusy: DATABASE_BUSY },
  });
}

export function DocumentsLogOut(): MethodDecorator {
  return Documented({
    summary: 'Log out',
    description: 'The token is worth nothing any more, on every instance of the service.',
    answers: { 204: { description: 'The session is over.', headers: ['Cache-Control'] } },
    problems: { unknownParameter: UNKNOWN_PARAMETER, databaseBusy: DATABASE_BUSY },
  });
}
