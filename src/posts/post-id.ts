import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { InputCheck } from '../http/request/operation.decorator.js';
import { IsIntegerBetween, Optional } from '../http/request/validation.js';
import type { FaultPlace, InputFault } from '../problem-details/problem.js';
import { NotFound } from '../problem-details/problems.js';

/** The largest id: the largest integer that every JSON parser represents exactly. */
export const MAX_POST_ID = Number.MAX_SAFE_INTEGER;

/** The rule in words, for error messages. */
export const POST_ID_RULE = `must be an integer from 1 to ${MAX_POST_ID}, without leading zeros`;

function isPostId(id: unknown): id is number {
  return typeof id === 'number' && Number.isInteger(id) && id >= 1 && id <= MAX_POST_ID;
}

/** The schema of an id in the OpenAPI document. */
export const ID_SCHEMA = { type: 'integer', minimum: 1, maximum: MAX_POST_ID } as const;

/** An id that may be missing: its rule, and its schema. */
export function IdField(options: ApiPropertyOptions): PropertyDecorator {
  return applyDecorators(
    Optional(),
    IsIntegerBetween(1, MAX_POST_ID, `The id ${POST_ID_RULE}.`),
    ApiProperty({ ...ID_SCHEMA, ...options }),
  );
}

/** The query that names the post to replace on the path of the collection; its body may name it, too. */
export class PostTargetQuery {
  @IdField({ required: false, description: 'The id of the post.' })
  id?: number;
}

/** The query that names the post to delete on the path of the collection; {@link checkTarget} requires it. */
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

/** The parts of a request that can name its post. */
interface MayNameId {
  readonly path?: { readonly id: number } | undefined;
  readonly query?: { readonly id?: number } | undefined;
  readonly body?: { readonly id?: number } | undefined;
}

/** The post that a request on the path of the collection names; {@link checkTarget} has verified that there is one. */
export function targetOf(query: { readonly id?: number }, body?: { readonly id?: number }): number {
  return (query.id ?? body?.id)!;
}

/** A write must name its post, so that it never affects more than one. If it names it twice, both ids must agree. */
export const checkTarget: InputCheck<MayNameId> = ({ path, query, body }, found) => {
  const places: [id: unknown, place: FaultPlace][] = [
    [path?.id, { parameter: 'id' }],
    [query?.id, { parameter: 'id' }],
    [body?.id, { pointer: '/id' }],
  ];
  // An invalid id already has its own fault.
  const isFaulty = found.some((fault) => 'parameter' in fault && fault.parameter === 'id');
  if (!isFaulty && places.every(([id]) => id === undefined))
    return [{ detail: 'The id of the post is required.', code: 'required', parameter: 'id' }];
  const [first, ...others] = places.filter(([id]) => isPostId(id));
  return others
    .filter(([id]) => id !== first?.[0])
    .map(([, place]): InputFault => ({
      detail: `The id is not the ${String(first?.[0])} that is named elsewhere.`,
      code: 'id_mismatch',
      ...place,
    }));
};
