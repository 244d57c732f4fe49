import { NDJSON_TYPE } from '../../http/media-types.js';
import { Documented } from '../../openapi/documented.decorator.js';
import { UNKNOWN_PARAMETER } from '../../openapi/problem-samples.js';
import { aJson } from '../json-answers.docs.js';
import { ImportCheckDto, ImportFaultDto } from './import-check.dto.js';

export function DocumentsCheckImport(): MethodDecorator {
  return Documented({
    summary: 'Check an import',
    description:
      'Reads any number of posts, one a line, by the rules of `POST /posts/`, and stores nothing. The limit of a request holds for each line.',
    body: {
      content: {
        [NDJSON_TYPE]: {
          type: { type: 'string', description: 'One post a line. Blank lines are skipped.' },
          example: '{"title":"One","body":""}\n{"title":"","body":""}\n',
        },
      },
    },
    answers: {
      200: aJson('What was found.', ImportCheckDto, {
        lines: 2,
        faults: [
          { line: 2, pointer: '/title', detail: 'The title must not be empty or only white space.' },
        ] satisfies ImportFaultDto[],
      }),
    },
    problems: { unknownParameter: UNKNOWN_PARAMETER },
  });
}
