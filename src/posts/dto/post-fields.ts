import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import {
  IsIntegerBetween,
  IsListOf,
  IsStorable,
  MaxCodePoints,
  Optional,
  textValidator,
} from '../../input/index.js';
import { ID_SCHEMA, MAX_POST_ID, POST_ID_RULE } from '../post-id.js';
import { IsPubDate } from '../pub-date.js';

/** The longest title, in Unicode code points: 200 emoji fit. */
export const TITLE_MAX_CODE_POINTS = 200;

/** Text without U+0000. The document for client generators omits patterns with it: generators copy them into code. */
const TEXT_PATTERN = String.raw`^[^\u0000]*$`;
/** Requires a character that is not white space. */
const TITLE_PATTERN = String.raw`^[^\u0000]*[^\s\u0000][^\u0000]*$`;

/** {@link PUB_DATE_RULE} as a pattern for OpenAPI. It does not check the limits of the year in UTC. */
export const PUB_DATE_PATTERN =
  String.raw`^(?!0000)(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))` +
  String.raw`|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)` +
  String.raw`(?:[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:[Zz]| UTC|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$`;

const MAX_IDS = 100;
const IDS_RULE = `The value must be at most ${MAX_IDS} ids, comma-separated or repeated, each once; each ${POST_ID_RULE}.`;

/**
 * A field of a body, or a parameter: its rules, and its schema. With `required: false` it is optional; with
 * `nullable: true` it may also be null.
 */
function field(schema: ApiPropertyOptions, ...rules: PropertyDecorator[]): PropertyDecorator {
  if (schema.nullable)
    return applyDecorators(Optional({ nullable: true }), ...rules, ApiPropertyOptional(schema));
  return applyDecorators(...(schema.required === false ? [Optional()] : []), ...rules, ApiProperty(schema));
}

export function TitleField(options: ApiPropertyOptions): PropertyDecorator {
  return field(
    { type: String, minLength: 1, maxLength: TITLE_MAX_CODE_POINTS, pattern: TITLE_PATTERN, ...options },
    IsString(),
    MaxCodePoints(
      TITLE_MAX_CODE_POINTS,
      `The title must have at most ${TITLE_MAX_CODE_POINTS} characters (Unicode code points).`,
    ),
    textValidator('blank', (title) => /\S/.test(title), 'The title must not be empty or only white space.'),
    IsStorable(),
  );
}

/** A text. With `maxLength`, it has at most so many Unicode code points. */
export function TextField(options: ApiPropertyOptions & { readonly maxLength?: number }): PropertyDecorator {
  const { maxLength } = options;
  const limits =
    maxLength === undefined
      ? []
      : [
          MaxCodePoints(
            maxLength,
            `The text must have at most ${maxLength} characters (Unicode code points).`,
          ),
        ];
  return field({ type: String, pattern: TEXT_PATTERN, ...options }, IsString(), ...limits, IsStorable());
}

export function DateField(options: ApiPropertyOptions): PropertyDecorator {
  return field({ type: String, pattern: PUB_DATE_PATTERN, ...options }, IsString(), IsPubDate());
}

/** A parameter that is a list of ids. */
export function IdsField(options: ApiPropertyOptions): PropertyDecorator {
  return field(
    { type: 'array', items: ID_SCHEMA, minItems: 1, maxItems: MAX_IDS, uniqueItems: true, ...options },
    IsListOf((each) => IsIntegerBetween(1, MAX_POST_ID, IDS_RULE, each), IDS_RULE, MAX_IDS),
  );
}
