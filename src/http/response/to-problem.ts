import { HttpException } from '@nestjs/common';
import { STATUS_CODES } from 'node:http';
import { DatabaseFault } from '../../database/index.js';
import {
  InternalError,
  OutcomeUnknown,
  Problem,
  ServiceUnavailable,
  StatusProblem,
  type UniqueValues,
} from '../../problem-details/index.js';

/** The problem of an error, wherever it was thrown. */
export function toProblem(thrown: unknown, uniqueValues: UniqueValues): Problem {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof DatabaseFault) return fromDatabase(thrown, uniqueValues);
  if (thrown instanceof HttpException) return fromHttpException(thrown);
  return fromStatus(thrown);
}

function fromDatabase(fault: DatabaseFault, uniqueValues: UniqueValues): Problem {
  if (fault.kind === 'duplicate')
    return uniqueValues.problemOf(fault.index, fault.row) ?? new InternalError(fault);
  if (fault.kind === 'unconfirmed') return new OutcomeUnknown(fault);
  if (fault.kind === 'unexpected') return new InternalError(fault);
  return new ServiceUnavailable(fault.message, { cause: fault });
}

/** What an exception of Nest says is meant for the client: its message, and the members of its object. */
function fromHttpException(exception: HttpException): Problem {
  const status = exception.getStatus();
  if (status < 400) return new InternalError(exception);
  const response = exception.getResponse();
  const object = (typeof response === 'string' ? {} : response) as Record<string, unknown>;
  // Nest itself adds the status and its name.
  const { message = exception.message, statusCode: _status, ...members } = object;
  if (members['error'] === STATUS_CODES[status]) delete members['error'];
  const detail = [message].flat().join('; ');
  return new StatusProblem(status, { detail, members, cause: exception });
}

/** Another part may have found the condition, such as Express or a library: its error has a status. */
function fromStatus(error: unknown): Problem {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  const isOfClient = typeof status === 'number' && status >= 400 && status < 500;
  return isOfClient ? new StatusProblem(status, { cause: error }) : new InternalError(error);
}
