import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsIntegerBetween, Optional } from '../input/index.js';
import { InvalidRequest, NotFound } from '../problem-details/index.js';

/** The largest id: the largest integer that every JSON parser represents exactly. */
export const MAX_POST_ID = Number.MAX_SAFE_INTEGER;

/** The rule in words, for error messages. */
export const POST_ID_RULE = `must be an integer from 1 to ${MAX_POST_ID}, without leading zeros`;

/** The schema of an id in the OpenAPI document. */
export const ID_SCHEMA = { type: 'integer', minimum: 1, maximum: MAX_POST_ID } as const;

/** An id: its rule, and its schema. With `required: false` it may be missing. */
export function IdField(options: ApiPropertyOptions): PropertyDecorator {
  return applyDecorators(
    ...(options.required === false ? [Optional()] : []),
    IsIntegerBetween(1, MAX_POST_ID, `The id ${POST_ID_RULE}.`),
    ApiProperty({ ...ID_SCHEMA, ...options }),
  );
}

/** The query that names the post to replace on the path of the collection; its body may name it, too. */
export class PostTargetQuery {
  @IdField({ required: false, description: 'The id of the post.' })
  id?: number;
}

/** The query that names the post to delete on the path of the collection. */
export class DeletePostQuery {
  @IdField({ description: 'The id of the post.' })
  id!: number;
}

/** The path of one post. */
export class PostPath {
  @IsIntegerBetween(1, MAX_POST_ID)
  @ApiProperty({
    ...ID_SCHEMA,
    description: 'The id of the post. A malformed id such as `007` is not found.',
    example: 7,
  })
  id!: number;
}

/** 404: no post has this id. It was deleted or never created. */
export class PostNotFound extends NotFound {
  constructor(id: number) {
    super(`There is no post with the id ${id}.`);
  }
}

/**
 * The post that a write names in its path, its query or its body. A write must name its post, so that it never affects
 * more than one. If it names it twice, both ids must agree.
 *
 * @throws InvalidRequest
 */
export function targetOf(address: { readonly id?: number }, body?: { readonly id?: number }): number {
  const target = address.id ?? body?.id;
  if (target === undefined) {
    throw new InvalidRequest([
      { detail: 'The id of the post is required.', code: 'required', parameter: 'id' },
    ]);
  }
  if (body?.id === undefined || body.id === target) return target;
  const detail = `The id is not the ${target} that is named elsewhere.`;
  throw new InvalidRequest([{ detail, code: 'id_mismatch', pointer: '/id' }]);
}
