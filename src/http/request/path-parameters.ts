import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsString, ValidateBy } from 'class-validator';

/** `7`, but not `07`, `+7` or `7.0`; at most the largest integer that every JSON reader holds exactly. */
const ID = /^[1-9]\d{0,15}$/;

/** A parameter of a path that is the number of something. What cannot be one is not found. */
export function IdPath(options: ApiPropertyOptions): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }) => (typeof value === 'string' && ID.test(value) ? Number(value) : value)),
    ValidateBy({ name: 'isId', validator: { validate: Number.isSafeInteger } }),
    ApiProperty({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...options }),
  );
}

/** The path of a file; whether there is one of this name is for its handler to say. */
export class FilePath {
  @IsString()
  name!: string;
}
