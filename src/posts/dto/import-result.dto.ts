import { ApiProperty } from '@nestjs/swagger';
import { ClosedSchema } from '../../openapi/document-types.js';
import { MAX_POST_ID } from '../post-id.js';

const ID_OR_NULL = { type: 'integer', nullable: true, minimum: 1, maximum: MAX_POST_ID } as const;

@ClosedSchema('ImportResult', 'What an import has stored.')
export class ImportResultDto {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: MAX_POST_ID, example: 2 })
  created!: number;

  @ApiProperty({ ...ID_OR_NULL, description: 'The lowest id; null for an empty import.', example: 8 })
  first_id!: number | null;

  @ApiProperty({ ...ID_OR_NULL, description: 'The highest id; null for an empty import.', example: 9 })
  last_id!: number | null;
}
